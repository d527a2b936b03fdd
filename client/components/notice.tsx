import type { ReactNode } from 'react';

interface NoticeProps {
  readonly kind?: 'info' | 'error' | 'success';
  readonly children: ReactNode;
}

/** A message in the flow of the page. Put it inside a live region when it appears as an answer. */
export function Notice({ kind = 'info', children }: NoticeProps) {
  return <div className={kind === 'info' ? 'notice' : `notice notice-${kind}`}>{children}</div>;
}
