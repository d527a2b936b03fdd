import type { ReactNode } from 'react';
import { Section } from './section.js';

interface CallToActionProps {
  readonly eyebrow?: string;
  readonly title: string;
  readonly lede?: ReactNode;
  /** The buttons. */
  readonly children: ReactNode;
}

/** The ink band that closes a page: one sentence and the way on. */
export function CallToAction({ eyebrow, title, lede, children }: CallToActionProps) {
  return (
    <Section tone="ink" eyebrow={eyebrow} title={title} lede={lede} className="call-to-action">
      <div className="row">{children}</div>
    </Section>
  );
}
