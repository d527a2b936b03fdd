import type { AuthError, GoTrueClient } from '@supabase/auth-js';
import { useEffect, useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { accountMessages } from '../../content/accounts.js';
import { recoveryCodeMessages } from '../../content/recovery-codes.js';
import { logError } from '../../lib/log-error.js';
import { useAuthClient } from '../../lib/session.js';
import { showToast } from '../../lib/toast.js';
import { isUnanswered } from './describe-auth-error.js';
import { describeOwnError } from './describe-own-error.js';
import { NewRecoveryCodes } from './new-recovery-codes.js';

/** Refusals of what the screen offers, by their codes: codes or factors came or went in another window. */
const CHANGED_ELSEWHERE: ReadonlySet<string | undefined> = new Set([
  'insufficient_aal',
  'mfa_factor_not_found',
  'mfa_recovery_codes_sole_factor',
  'mfa_verified_factor_exists',
]);

interface RecoveryCodesProps {
  /** True for somebody who has made codes. */
  readonly hasCodes: boolean;
  /** Called when codes came or went. */
  readonly onChange: () => void;
}

/** For when what had the focus leaves the page. */
const focusPart = () => document.getElementById('account-codes')?.focus();

/** The recovery codes of the signed-in user: making, replacing and removing them, and how many are left. */
export function RecoveryCodes({ hasCodes, onChange }: RecoveryCodesProps) {
  const [fresh, setFresh] = useState<readonly string[] | null>(null);
  const { run, isBusy, failure } = useCall();

  const finish = () => {
    setFresh(null);
    focusPart();
  };
  /** Describes a refusal, and shows what there is now where the page was not up to date. */
  const explain = async (auth: GoTrueClient, error: AuthError): Promise<string> => {
    if (!CHANGED_ELSEWHERE.has(error.code)) return await describeOwnError(auth, error);
    await auth.refreshSession();
    // This part goes as well, with the last of the other factors.
    showToast({ kind: 'error', ...accountMessages.factorsChanged });
    onChange();
    finish();
    return accountMessages.factorsChanged.text;
  };
  const make = async (isAnew: boolean) =>
    await run(async (auth) => {
      const { recoveryCodes } = auth.mfa;
      const { data, error } = await (isAnew ? recoveryCodes.regenerate() : recoveryCodes.generate());
      if (data) {
        setFresh(data.codes);
        // Known by the time that they are kept, and not offered to be made once more.
        onChange();
      }
      // It may have made them nevertheless, also after the time in which it answers.
      if (isAnew && error && isUnanswered(error)) return recoveryCodeMessages.unsure;
      return error && (await explain(auth, error));
    });
  const remove = async () =>
    await run(async (auth) => {
      const { error } = await auth.mfa.recoveryCodes.unenroll();
      // Gone already, by another tab, is gone.
      if (error && error.code !== 'mfa_factor_not_found') return await explain(auth, error);
      // A session that a code has raised lacks a second factor now, which the next token says.
      await auth.refreshSession();
      showToast({ kind: 'success', ...recoveryCodeMessages.removed });
      onChange();
      finish();
      return null;
    });

  return (
    <section className="account-part" aria-labelledby="account-codes">
      <h2 id="account-codes" tabIndex={-1}>
        Recovery codes
      </h2>
      {fresh ? (
        <NewRecoveryCodes codes={fresh} onKept={finish} />
      ) : hasCodes ? (
        <KnownCodes isBusy={isBusy} onReplace={() => void make(true)} onRemove={() => void remove()} />
      ) : (
        <>
          <p className="quiet">
            For the day when the phone is lost: ten codes to keep on paper. Each works once in the place of your app or
            key.
          </p>
          <p>
            <Button kind="line" aria-disabled={isBusy} onClick={() => void make(false)}>
              {isBusy ? 'One moment...' : 'Make recovery codes'}
            </Button>
          </p>
        </>
      )}
      <div role="alert">{failure ? <Notice kind="error">{failure}</Notice> : null}</div>
    </section>
  );
}

interface KnownCodesProps {
  readonly isBusy: boolean;
  readonly onReplace: () => void;
  readonly onRemove: () => void;
}

function KnownCodes({ isBusy, onReplace, onRemove }: KnownCodesProps) {
  const [asked, setAsked] = useState<'replace' | 'remove' | null>(null);
  const keep = (
    <Button
      kind="line"
      isSmall
      onClick={() => {
        setAsked(null);
        focusPart();
      }}
    >
      Keep them
    </Button>
  );
  return (
    <>
      <CodesLeft />
      {asked === null ? (
        <div className="row">
          <Button kind="line" isSmall onClick={() => setAsked('replace')}>
            Make new codes
          </Button>
          <Button kind="line" isSmall onClick={() => setAsked('remove')}>
            Remove<span className="visually-hidden"> the recovery codes</span>
          </Button>
        </div>
      ) : (
        <Question text={asked === 'replace' ? recoveryCodeMessages.replaced : recoveryCodeMessages.gone}>
          <Button isSmall autoFocus aria-disabled={isBusy} onClick={asked === 'replace' ? onReplace : onRemove}>
            {asked === 'replace' ? 'Replace the codes' : 'Remove the codes'}
          </Button>
          {keep}
        </Question>
      )}
    </>
  );
}

function Question({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <>
      <p>{text}</p>
      <div className="row">{children}</div>
    </>
  );
}

function CodesLeft() {
  const getClient = useAuthClient();
  const [left, setLeft] = useState<{ readonly remaining: number; readonly total: number } | null>(null);
  useEffect(() => {
    getClient()
      .then(({ mfa }) => mfa.recoveryCodes.getStatus())
      .then(({ data, error }) => (error ? Promise.reject(error) : setLeft(data)))
      .catch((error: unknown) => logError('The recovery codes could not be counted:', error));
  }, [getClient]);
  if (!left) return <p className="quiet">Each works once in the place of your app or key.</p>;
  const { remaining, total } = left;
  if (remaining === 0) return <p>All of your codes were used. Make new ones.</p>;
  return (
    <p className="quiet">
      <b>
        {remaining} of {total}
      </b>{' '}
      codes {remaining === 1 ? 'is' : 'are'} left. Each works once in the place of your app or key.
    </p>
  );
}

/** Makes one call at a time; it returns the problem, or null. */
function useCall() {
  const getClient = useAuthClient();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const run = async (call: (auth: GoTrueClient) => Promise<string | null>) => {
    if (isBusy) return;
    setIsBusy(true);
    setFailure(null);
    try {
      setFailure(await call(await getClient()));
    } catch (error) {
      logError('The recovery codes could not be changed:', error);
      setFailure(accountMessages.unreachable);
    } finally {
      setIsBusy(false);
    }
  };

  return { run, isBusy, failure };
}
