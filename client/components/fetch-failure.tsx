import { useEffect } from 'react';
import { describeError, isToldElsewhere, OFFLINE } from '../lib/api-errors.js';
import { showToast } from '../lib/toast.js';
import { Button } from './button.js';
import { Notice } from './notice.js';

interface FetchFailureProps {
  readonly query: {
    readonly error: Error | null;
    /** True while it waits for a network. */
    readonly isPaused: boolean;
    readonly refetch: () => Promise<unknown>;
  };
  /** The failure in the words of this list. */
  readonly message: { readonly title: string; readonly text: string };
  /** True when a list loaded before is still shown. */
  readonly isListShown: boolean;
}

/**
 * Says that a list of the admin area could not be fetched, and lets people try again, or that it waits for a network;
 * nothing else.
 */
export function FetchFailure({ query, message, isListShown }: FetchFailureProps) {
  const { error, isPaused } = query;
  const { title, text } = message;
  useEffect(() => {
    if (error && !isToldElsewhere(error)) showToast({ kind: 'error', title, text });
  }, [error, title, text]);
  if (isPaused) {
    return (
      <p role="status" className="list-note">
        {isListShown ? 'You are offline. What is shown is read anew as soon as the connection is back.' : OFFLINE}
      </p>
    );
  }
  if (!error || (isToldElsewhere(error) && isListShown)) return null;
  return (
    <div role="alert">
      <Notice kind="error">
        <p>
          <b>{text}</b>: {describeError(error)}
        </p>
        <p>
          <Button isSmall kind="line" onClick={() => void query.refetch()}>
            Try again
          </Button>
        </p>
      </Notice>
    </div>
  );
}
