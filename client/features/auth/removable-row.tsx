import { useState } from 'react';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { accountMessages } from '../../content/accounts.js';
import { logError } from '../../lib/log-error.js';

interface RemovableRowProps {
  readonly name: string;
  /** Beside the name: when it was added, or whose it is. */
  readonly detail: string;
  /** A sentence about the consequences of its removal. */
  readonly note?: string | null;
  /** Removes it. Returns the problem, or null. Without it, it stays. */
  readonly remove: (() => Promise<string | null>) | null;
  readonly onRemoved: () => void;
}

/** A way to sign in as one of a list, which is removed after a question. */
export function RemovableRow({ name, detail, note, remove, onRemoved }: RemovableRowProps) {
  // Null before the first question: the button is there anew, and has the focus, once it was answered with no.
  const [isAsking, setIsAsking] = useState<boolean | null>(null);
  const { send, isBusy, failure } = useRemoval(remove, onRemoved);
  return (
    <li>
      <p>
        <b>{name}</b>
        <span className="quiet small"> {detail}</span>
      </p>
      {isAsking && note ? <p className="account-note">{note}</p> : null}
      {isAsking ? (
        <div className="row">
          <Button isSmall autoFocus aria-disabled={isBusy} onClick={() => void send()}>
            {isBusy ? 'Removing...' : `Remove ${name}`}
          </Button>
          <Button kind="line" isSmall onClick={() => setIsAsking(false)}>
            Keep it
          </Button>
        </div>
      ) : remove ? (
        <Button kind="line" isSmall autoFocus={isAsking === false} onClick={() => setIsAsking(true)}>
          Remove<span className="visually-hidden"> {name}</span>
        </Button>
      ) : null}
      <div role="alert">{failure ? <Notice kind="error">{failure}</Notice> : null}</div>
    </li>
  );
}

function useRemoval(remove: RemovableRowProps['remove'], onRemoved: () => void) {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const send = async () => {
    if (isBusy || remove === null) return;
    setIsBusy(true);
    try {
      const problem = await remove();
      if (problem === null) return onRemoved();
      setFailure(problem);
    } catch (error) {
      logError('It could not be removed:', error);
      setFailure(accountMessages.unreachable);
    } finally {
      setIsBusy(false);
    }
  };

  return { send, isBusy, failure };
}
