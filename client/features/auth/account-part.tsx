import type { ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';

interface AccountPartProps {
  /** Names the heading, which takes the focus when the part that had it is gone. */
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}

/** A part of the page of an account. */
export function AccountPart({ id, title, children }: AccountPartProps) {
  return (
    <section className="account-part" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Says that a part could not be read, and tries again. */
export function PartFailure({ text, onRetry }: { readonly text: string; readonly onRetry: () => void }) {
  return (
    <Notice kind="error">
      <p>{text}</p>
      <p>
        <Button kind="line" isSmall onClick={onRetry}>
          Try again
        </Button>
      </p>
    </Notice>
  );
}
