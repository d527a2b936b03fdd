import type { PostDetail, PostLink } from '../../../src/shared/contracts/posts.js';
import { paths } from '../../../src/shared/paths.js';

/** Links to the posts before and after one, so that nobody has to go back to the list to read on. */
export function PostNeighbours({ post: { newer, older } }: { readonly post: Pick<PostDetail, 'newer' | 'older'> }) {
  if (newer === null && older === null) return null;
  return (
    <nav className="wrap wrap-narrow post-neighbours" aria-label="More posts">
      {older ? <Neighbour label="Older post" post={older} /> : null}
      {newer ? <Neighbour label="Newer post" post={newer} isLast /> : null}
    </nav>
  );
}

interface NeighbourProps {
  readonly label: string;
  readonly post: PostLink;
  readonly isLast?: boolean;
}

function Neighbour({ label, post: { slug, title }, isLast = false }: NeighbourProps) {
  return (
    <a className={isLast ? 'post-neighbour post-neighbour-last' : 'post-neighbour'} href={paths.blog(slug)}>
      <span className="quiet small">{label}</span>
      <span dir="auto">{title}</span>
    </a>
  );
}
