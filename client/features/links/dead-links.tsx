import type { DeadLink, PostWithDeadLinks } from '../../../src/shared/contracts/links.js';
import { paths } from '../../../src/shared/paths.js';
import { Badge } from '../../components/badge.js';
import { FetchFailure } from '../../components/fetch-failure.js';
import { LoadMore } from '../../components/load-more.js';
import { countDeadPosts, describeDeadLink, linkMessages as messages } from '../../content/links.js';
import { useDeadLinks } from './use-dead-links.js';

/** The posts with dead links, and what is dead in each. */
export function DeadLinks() {
  const list = useDeadLinks();
  const { posts, total, error, isPending } = list;
  return (
    <div aria-busy={list.isFetching}>
      <FetchFailure query={list} message={messages.fetchFailed} isListShown={posts.length > 0} />
      <p role="status" className={posts.length === 0 && !error ? 'list-note' : 'link-count quiet'}>
        {isPending && list.isPaused ? '' : noteOf(total, isPending, error !== null)}
      </p>
      {posts.length > 0 ? (
        <>
          <ul role="list" className="dead-posts">
            {posts.map((post) => (
              <DeadPost key={post.id} post={post} />
            ))}
          </ul>
          <LoadMore count={posts.length} nouns={['post', 'posts']} itemSelector=".dead-post h2 a" list={list} />
        </>
      ) : null}
    </div>
  );
}

function noteOf(total: number, isPending: boolean, hasFailed: boolean): string {
  if (isPending) return messages.loading;
  if (total > 0) return countDeadPosts(total);
  return hasFailed ? '' : messages.none;
}

function DeadPost({ post: { id, title, is_published, links } }: { readonly post: PostWithDeadLinks }) {
  return (
    <li className="dead-post">
      <h2>
        <a href={paths.admin.blog(id)}>{title}</a>
        {is_published ? null : <Badge>Not live</Badge>}
      </h2>
      <ul role="list">
        {links.map((link) => (
          <DeadLine key={`${link.place} ${link.kind} ${link.address}`} link={link} />
        ))}
      </ul>
    </li>
  );
}

function DeadLine({ link }: { readonly link: DeadLink }) {
  return (
    <li>
      <span className="quiet">{link.kind === 'image' ? 'Picture' : 'Link'}</span> <code>{link.address}</code>{' '}
      {describeDeadLink(link)}
      {link.place === 'edits' ? <span className="quiet"> (in edits that are not saved)</span> : null}
    </li>
  );
}
