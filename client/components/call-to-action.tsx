import type { ReactNode } from 'react';
import { Section } from './section.js';

interface CallToActionProps {
  readonly title: string;
  readonly lede?: ReactNode;
  /** The buttons. */
  readonly children: ReactNode;
}

/** The ink band that closes a page: one sentence and the way on. */
export function CallToAction({ title, lede, children }: CallToActionProps) {
  return (
    <Section tone="ink" title={title} lede={lede} className="call-to-action">
      <div className="row">{children}</div>
    </Section>
  );
}
