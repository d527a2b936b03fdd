import { useEffect, useRef } from 'react';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';

/** How something ended, in words that stay on the page: a toast is never the only carrier. */
export interface MediaOutcome {
  readonly kind: 'success' | 'error';
  readonly title: string;
  readonly lines?: readonly string[];
  /** Whether what had the focus is gone from the page, so that it has to go somewhere. */
  readonly takesFocus?: boolean;
}

interface MediaOutcomeNoticeProps {
  readonly outcome: MediaOutcome | null;
  readonly onDismiss: () => void;
}

/** The place where the screen says how things ended. It is always there, or screen readers would not hear of it. */
export function MediaOutcomeNotice({ outcome, onDismiss }: MediaOutcomeNoticeProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (outcome?.takesFocus) place.current?.focus();
  }, [outcome]);
  return (
    <div ref={place} role="status" aria-label="What was done" tabIndex={-1} className="outcome">
      {outcome ? (
        <Notice kind={outcome.kind}>
          <p>
            <b>{outcome.title}</b>
          </p>
          {outcome.lines?.length ? (
            <ul className="outcome-lines">
              {outcome.lines.map((line, index) => (
                <li key={index}>{line}</li>
              ))}
            </ul>
          ) : null}
          <div className="row">
            <Button kind="line" isSmall onClick={onDismiss}>
              Dismiss
            </Button>
          </div>
        </Notice>
      ) : null}
    </div>
  );
}
