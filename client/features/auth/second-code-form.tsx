import type { AuthError, GoTrueClient } from '@supabase/auth-js';
import { useEffect, useRef, useState, type ComponentProps, type ReactNode, type SubmitEvent } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../../components/button.js';
import { InputField } from '../../components/field.js';
import { accountMessages } from '../../content/accounts.js';
import { logError } from '../../lib/log-error.js';
import { useAuthClient } from '../../lib/session.js';
import { showToast } from '../../lib/toast.js';
import { describeAuthError } from './describe-auth-error.js';

/** A kind of code that raises a session. */
export interface SecondCode {
  /** Returns the problem with the form of a code, or null. */
  readonly check: (code: string) => string | null;
  readonly show: (auth: GoTrueClient, code: string) => Promise<{ readonly error: AuthError | null }>;
  /** The words for refusals, by their code. */
  readonly refusals: Readonly<Record<string, string>>;
}

export interface SecondCodeFormProps {
  /** Address of the page, where the form would be sent without scripts; nothing listens there. */
  readonly action: string;
  readonly submitLabel: string;
  /** Called when the code was right; components that watch the session know by themselves. */
  readonly onVerified?: (() => void) | undefined;
  /** Called when the account does not have the factor any more. Returns the sentence about it. */
  readonly onGone: () => Promise<string>;
  /** Content above the field. */
  readonly children?: ReactNode;
  /** Content beside the button. */
  readonly aside?: ReactNode;
}

interface Props extends SecondCodeFormProps {
  readonly code: SecondCode;
  readonly field: ComponentProps<typeof InputField>;
}

/** Asks for a code of a second factor, and raises the session with it. */
export function SecondCodeForm({ action, submitLabel, onVerified, onGone, children, aside, code, field }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const { send, isBusy, problem } = useCode(code, onVerified, onGone);
  const focusField = () => form.current?.querySelector<HTMLElement>('[name=code]')?.focus();
  // What the screen is for; the button that led here is gone.
  useEffect(focusField, []);

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('code');
    if (isBusy || typeof typed !== 'string') return;
    void send(typed.replaceAll(/\s/g, '')).then((isRight) => (isRight ? undefined : focusField()));
  };

  return (
    <form ref={form} className="form" method="post" action={action} noValidate onSubmit={handleSubmit}>
      {children}
      <InputField {...field} name="code" autoCorrect="off" spellCheck={false} required error={problem ?? undefined} />
      <div className="row">
        <Button type="submit" aria-disabled={isBusy}>
          {isBusy ? 'Checking...' : submitLabel}
        </Button>
        {aside}
      </div>
    </form>
  );
}

function useCode(
  { check, show, refusals }: SecondCode,
  onVerified: SecondCodeFormProps['onVerified'],
  onGone: SecondCodeFormProps['onGone'],
) {
  const getClient = useAuthClient();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  /** Verifies a code. Returns the problem, or null. */
  const verify = async (code: string): Promise<string | null> => {
    const malformed = check(code);
    if (malformed !== null) return malformed;
    const auth = await getClient();
    const { error } = await show(auth, code);
    if (!error) return null;
    if (error.code === 'mfa_factor_not_found') return await onGone();
    const text = refusals[error.code ?? ''] ?? describeAuthError(error);
    if (error.name !== 'AuthSessionMissingError') return text;
    // Ended elsewhere: this screen goes, and the message has to outlast it.
    showToast({ kind: 'error', title: accountMessages.signInFailed, text });
    await auth.signOut({ scope: 'local' });
    return text;
  };

  /** Returns true when the code was right. */
  const send = async (code: string): Promise<boolean> => {
    setIsBusy(true);
    const found = await verify(code).catch((error: unknown) => {
      logError('The code could not be verified:', error);
      return accountMessages.unreachable;
    });
    // The message has to be there before the focus, which makes a screen reader read it.
    flushSync(() => {
      setIsBusy(false);
      setProblem(found);
    });
    if (found === null) onVerified?.();
    return found === null;
  };

  return { send, isBusy, problem };
}
