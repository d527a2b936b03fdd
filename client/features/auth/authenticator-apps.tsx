import type { Factor } from '@supabase/auth-js';
import { useState } from 'react';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { accountMessages } from '../../content/accounts.js';
import { formatDay } from '../../lib/format-moment.js';
import { logError } from '../../lib/log-error.js';
import { useAuthClient } from '../../lib/session.js';
import { showToast } from '../../lib/toast.js';
import { describeAuthError } from './describe-auth-error.js';
import { NewAuthenticator } from './new-authenticator.js';
import { appsOf, isLastBesideCodes, nameOf, type Factors } from './use-factors.js';

/** The authenticator apps of the signed-in user: adding them, and taking them away. */
export function AuthenticatorApps({ factors: known, hasFailed, reload }: Factors) {
  const factors = known && appsOf(known);
  const [isAdding, setIsAdding] = useState(false);
  const [outcome, setOutcome] = useState<string | null>(null);

  const handleChange = ({ title, text }: { readonly title: string; readonly text: string }) => {
    setIsAdding(false);
    setOutcome(text);
    showToast({ kind: 'success', title, text });
    // The part that had the focus is gone.
    document.getElementById('account-apps')?.focus();
    reload();
  };

  return (
    <section className="account-part" aria-labelledby="account-apps">
      <h2 id="account-apps" tabIndex={-1}>
        Authenticator apps
      </h2>
      <div role="status">
        {outcome ? (
          <Notice kind="success">
            <p>{outcome}</p>
          </Notice>
        ) : null}
        {hasFailed ? <Unread onRetry={reload} /> : null}
      </div>
      <p className="quiet">
        {factors?.length
          ? 'Signing in asks for your password, and for the code that one of these apps shows.'
          : 'An app on your phone shows a code that changes every 30 seconds. With it, nobody gets in by your password alone.'}
      </p>
      {factors?.length ? (
        <ul role="list" className="account-list">
          {factors.map((factor) => (
            <FactorRow
              key={factor.id}
              factor={factor}
              note={isLastBesideCodes(known ?? []) ? accountMessages.codesGoToo : null}
              onRemoved={() => handleChange(accountMessages.appRemoved)}
            />
          ))}
        </ul>
      ) : null}
      {isAdding ? (
        <NewAuthenticator
          suggestedName={suggestName(factors ?? [])}
          onAdded={() => handleChange(accountMessages.appAdded)}
          onCancel={() => setIsAdding(false)}
        />
      ) : (
        <p>
          <Button kind={factors?.length ? 'line' : 'primary'} disabled={!factors} onClick={() => setIsAdding(true)}>
            {factors?.length ? 'Add another app' : 'Add an authenticator app'}
          </Button>
        </p>
      )}
    </section>
  );
}

/** Names are unique within an account. */
function suggestName(factors: readonly Factor[]): string {
  const names = new Set(factors.map(nameOf));
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? 'Phone' : `Phone ${count}`;
    if (!names.has(name)) return name;
  }
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

interface FactorRowProps {
  readonly factor: Factor;
  /** A sentence about the consequences of its removal. */
  readonly note: string | null;
  readonly onRemoved: () => void;
}

function FactorRow({ factor, note, onRemoved }: FactorRowProps) {
  const [isAsking, setIsAsking] = useState(false);
  const { remove, isBusy, failure } = useRemoval(factor.id, onRemoved);
  const name = nameOf(factor);
  return (
    <li>
      <p>
        <b>{name}</b>
        <span className="quiet small"> added {formatDay(factor.created_at)}</span>
      </p>
      {isAsking && note ? <p className="account-note">{note}</p> : null}
      {isAsking ? (
        <div className="row">
          <Button isSmall autoFocus aria-disabled={isBusy} onClick={() => void remove()}>
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

function useRemoval(factorId: string, onRemoved: () => void) {
  const getClient = useAuthClient();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const remove = async () => {
    if (isBusy) return;
    setIsBusy(true);
    try {
      const auth = await getClient();
      const { error } = await auth.mfa.unenroll({ factorId });
      // Gone already, by another tab, is gone.
      if (error && error.code !== 'mfa_factor_not_found') return setFailure(describeAuthError(error));
      // The session may lack a second factor now, which the next token says.
      await auth.refreshSession();
      onRemoved();
    } catch (error) {
      logError('The authenticator app could not be removed:', error);
      setFailure(accountMessages.unreachable);
    } finally {
      setIsBusy(false);
    }
  };

  return { remove, isBusy, failure };
}
