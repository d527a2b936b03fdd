import { useState } from 'react';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { accountMessages } from '../../content/accounts.js';
import { formatDay } from '../../lib/format-moment.js';
import { logError } from '../../lib/log-error.js';

interface RemovableRowProps {
  readonly name: string;
  /** ISO 8601. */
  readonly addedAt: string;
  /** A sentence about the consequences of its removal. */
  readonly note?: string | null;
  /** Removes it. Returns the problem, or null. */
  readonly remove: () => Promise<string | null>;
  readonly onRemoved: () => void;
}

/** A way to sign in as one of a list, which can be removed after a question. */
export function RemovableRow({ name, addedAt, note, remove, onRemoved }: RemovableRowProps) {
  const [isAsking, setIsAsking] = useState(false);
  const { send, isBusy, failure } = useRemoval(remove, onRemoved);
  return (
    <li>
      <p>
        <b>{name}</b>
        <span className="quiet small"> added {formatDay(addedAt)}</span>
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
      ) : (
        <Button kind="line" isSmall onClick={() => setIsAsking(true)}>
          Remove<span className="visually-hidden"> {name}</span>
        </Button>
      )}
      <div role="alert">{failure ? <Notice kind="error">{failure}</Notice> : null}</div>
    </li>
  );
}

function useRemoval(remove: () => Promise<string | null>, onRemoved: () => void) {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const send = async () => {
    if (isBusy) return;
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
