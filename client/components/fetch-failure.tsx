import { useEffect } from 'react';
import { describeError, isToldElsewhere } from '../lib/api-errors.js';
import { showToast } from '../lib/toast.js';
import { Button } from './button.js';
import { Notice } from './notice.js';

interface FetchFailureProps {
  readonly error: Error | null;
  /** The failure in the words of this list. */
  readonly message: { readonly title: string; readonly text: string };
  /** True when a list loaded before is still shown. */
  readonly isListShown: boolean;
  readonly onRetry: () => void;
}

/** Says that a list of the admin area could not be fetched, and lets people try again; nothing without an error. */
export function FetchFailure({ error, message, isListShown, onRetry }: FetchFailureProps) {
  const { title, text } = message;
  useEffect(() => {
    if (error && !isToldElsewhere(error)) showToast({ kind: 'error', title, text });
  }, [error, title, text]);
  if (!error || (isToldElsewhere(error) && isListShown)) return null;
  return (
    <div role="alert">
      <Notice kind="error">
        <p>
          <b>{text}</b>: {describeError(error)}
        </p>
        <p>
          <Button isSmall kind="line" onClick={onRetry}>
            Try again
          </Button>
        </p>
      </Notice>
    </div>
  );
}
