import { pathOfName, type ListedKind } from '../../../src/shared/term-addresses.js';
import { Badge } from '../../components/badge.js';

interface TermLinkProps {
  readonly kind: ListedKind;
  /** As the post has it. */
  readonly name: string;
}

/** The name of a term, leading to its posts; the name alone where it has no page. */
export function TermLink({ kind, name }: TermLinkProps) {
  const path = pathOfName(kind, name);
  return path === null ? name : <a href={path}>{name}</a>;
}

/** The category of a post, or nothing where it has none. */
export function PostCategory({ category }: { readonly category: string | null }) {
  if (!category) return null;
  return (
    <p>
      <Badge>
        <TermLink kind="category" name={category} />
      </Badge>
    </p>
  );
}

/** The tags of a post as a list, or nothing where there are none. */
export function PostTags({ tags }: { readonly tags: readonly string[] | null }) {
  if (!tags?.length) return null;
  return (
    <ul role="list" className="badges" aria-label="Tags">
      {tags.map((tag, index) => (
        <li key={index}>
          <Badge kind="quiet">
            <TermLink kind="tag" name={tag} />
          </Badge>
        </li>
      ))}
    </ul>
  );
}
