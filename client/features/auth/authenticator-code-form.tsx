import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../../components/button.js';
import { InputField } from '../../components/field.js';
import { accountMessages } from '../../content/accounts.js';
import { logError } from '../../lib/log-error.js';
import { useAuthClient } from '../../lib/session.js';
import { showToast } from '../../lib/toast.js';
import { describeAuthError } from './describe-auth-error.js';

interface AuthenticatorCodeFormProps {
  readonly factorId: string;
  /** Address of the page, where the form would be sent without scripts; nothing listens there. */
  readonly action: string;
  readonly submitLabel: string;
  /** Called when the code was right; components that watch the session know by themselves. */
  readonly onVerified?: () => void;
  /** Content above the field. */
  readonly children?: ReactNode;
  /** Content beside the button. */
  readonly aside?: ReactNode;
}

/** Asks for the code that an authenticator app shows, and raises the session with it. */
export function AuthenticatorCodeForm({
  factorId,
  action,
  submitLabel,
  onVerified,
  children,
  aside,
}: AuthenticatorCodeFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { send, isBusy, problem } = useCode(factorId, onVerified);
  const focusField = () => form.current?.querySelector<HTMLElement>('[name=code]')?.focus();
  // What the screen is for; the button that led here is gone.
  useEffect(focusField, []);

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = new FormData(event.currentTarget).get('code');
    if (isBusy || typeof code !== 'string') return;
    void send(code.replaceAll(/\s/g, '')).then((isRight) => (isRight ? undefined : focusField()));
  };

  return (
    <form ref={form} className="form" method="post" action={action} noValidate onSubmit={handleSubmit}>
      {children}
      <InputField
        label="Authenticator code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoCorrect="off"
        spellCheck={false}
        maxLength={12}
        required
        error={problem ?? undefined}
      />
      <div className="row">
        <Button type="submit" aria-disabled={isBusy}>
          {isBusy ? 'Checking...' : submitLabel}
        </Button>
        {aside}
      </div>
    </form>
  );
}

function useCode(factorId: string, onVerified: (() => void) | undefined) {
  const getClient = useAuthClient();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  /** Verifies a code. Returns the problem, or null. */
  const verify = async (code: string): Promise<string | null> => {
    if (!/^\d{6}$/.test(code)) return accountMessages.codeForm;
    const auth = await getClient();
    const { error } = await auth.mfa.challengeAndVerify({ factorId, code });
    if (error?.code === 'mfa_verification_failed') return accountMessages.wrongCode;
    if (!error) return null;
    const text = describeAuthError(error);
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
