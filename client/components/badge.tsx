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
