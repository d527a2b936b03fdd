import type { ReactNode } from 'react';

interface BadgeProps {
  /** 'accent' for the one that matters, 'quiet' for tags, 'signal' for a warning or a mark. */
  readonly kind?: 'accent' | 'quiet' | 'signal';
  readonly children: ReactNode;
}

/** A word in a capsule. */
export function Badge({ kind = 'accent', children }: BadgeProps) {
  return <span className={kind === 'accent' ? 'badge' : `badge badge-${kind}`}>{children}</span>;
}

/** Tags as a list, or nothing where there are none. */
export function TagList({ tags }: { readonly tags: readonly string[] | null }) {
  if (!tags?.length) return null;
  return (
    <ul role="list" className="badges" aria-label="Tags">
      {tags.map((tag, index) => (
        <li key={index}>
          <Badge kind="quiet">{tag}</Badge>
        </li>
      ))}
    </ul>
  );
}
