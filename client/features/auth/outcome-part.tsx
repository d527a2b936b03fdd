import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { accountMessages } from '../../content/accounts.js';
import { showToast } from '../../lib/toast.js';

/** The outcome of a change, as the part of the page tells it. */
export interface Outcome {
  readonly title: string;
  readonly text: string;
}

interface OutcomePartProps {
  /** Names the heading in the page. */
  readonly id: string;
  readonly title: string;
  /** The last change, from {@link useOutcome}. */
  readonly outcome: string | null;
  /** Reads again what the part shows, where that has failed and no other part says so. */
  readonly onRetry?: (() => void) | null;
  readonly children: ReactNode;
}

/** A part of `/account` about one way to sign in: its heading, what came of the last change, and its content. */
export function OutcomePart({ id, title, outcome, onRetry, children }: OutcomePartProps) {
  return (
    <section className="account-part" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      <div role="status">
        {outcome ? (
          <Notice kind="success">
            <p>{outcome}</p>
          </Notice>
        ) : null}
        {onRetry ? <Unread onRetry={onRetry} /> : null}
      </div>
      {children}
    </section>
  );
}

/** Tells what came of a change in the part with that heading, and moves the focus there. */
export function useOutcome(id: string) {
  const [outcome, setOutcome] = useState<string | null>(null);
  const tell = ({ title, text }: Outcome) => {
    setOutcome(text);
    showToast({ kind: 'success', title, text });
    // The part that had the focus is gone.
    document.getElementById(id)?.focus();
  };
  return { outcome, tell };
}

function Unread({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <Notice kind="error">
      <p>{accountMessages.unreachable}</p>
      <p>
        <Button kind="line" isSmall onClick={onRetry}>
          Try again
        </Button>
      </p>
    </Notice>
  );
}
