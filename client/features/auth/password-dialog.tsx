import type { Session } from '@supabase/auth-js';
import { useEffect, useRef, useState, useSyncExternalStore, type SubmitEvent } from 'react';
import { paths } from '../../../src/shared/paths.js';
import { Button, ExternalLink } from '../../components/button.js';
import { InputField, PasswordField } from '../../components/field.js';
import { Notice } from '../../components/notice.js';
import { accountMessages } from '../../content/accounts.js';
import { logError } from '../../lib/log-error.js';
import type { SessionPrompt } from '../../lib/session-prompt.js';
import { needsCode, useAuthClient, useSession } from '../../lib/session.js';
import { useSite } from '../../lib/site-context.js';
import { describeAuthError } from './describe-auth-error.js';
import { PasskeyButton } from './passkey-button.js';
import { SecondStep } from './second-step.js';

interface PasswordDialogProps {
  /** The user whose session ended; nobody else can continue it. */
  readonly person: { readonly userId: string; readonly email: string };
  readonly prompt: SessionPrompt;
}

/**
 * Asks for the password in place when a session ended in the middle of work, so that the page and all that was typed
 * stay as they are. Signing in in another tab answers it too.
 */
export function PasswordDialog({ person, prompt }: PasswordDialogProps) {
  const isAsking = useSyncExternalStore(prompt.subscribe, prompt.isAsking, () => false);
  return isAsking ? <OpenDialog person={person} prompt={prompt} /> : null;
}

function OpenDialog({ person, prompt }: PasswordDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const session = useSession();
  const needsOnlyCode = session.status === 'needs-code' && session.userId === person.userId;
  const isOther = session.status === 'signed-in' && session.userId !== person.userId;
  useSignInsElsewhere({ person, prompt });
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    opened?.querySelector<HTMLElement>('[name=password]')?.focus();
    // Closing gives the focus back to where it was.
    return () => opened?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby="password-dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        prompt.settle(false);
      }}
    >
      <div className="form">
        <h2 id="password-dialog-title">Sign in again to go on</h2>
        <p>Your session has ended. Everything on this page is still here, and goes on from where it was.</p>
        {isOther ? (
          <div role="alert">
            <Notice kind="error">{accountMessages.otherAccount}</Notice>
          </div>
        ) : null}
        {needsOnlyCode ? <SecondStep /> : <PasswordForm person={person} prompt={prompt} />}
      </div>
    </dialog>
  );
}

function PasswordForm({ person, prompt }: PasswordDialogProps) {
  const { hasPasskeys, provider } = useSite().accounts;
  const { failure, isBusy, handleSubmit } = useSignInAgain({ person, prompt });
  // Another account is told by the dialog, which asks for a second factor too.
  const handleSignedIn = (session: Session) => {
    if (session.user.id === person.userId && !needsCode(session)) prompt.settle(true);
  };
  return (
    <>
      <form className="form" method="post" action={paths.auth} noValidate onSubmit={handleSubmit}>
        <InputField label="Email" name="email" type="email" autoComplete="username" value={person.email} readOnly />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          error={failure ?? undefined}
        />
        <div className="row">
          <Button type="submit" isSmall aria-disabled={isBusy}>
            {isBusy ? 'Signing in...' : 'Sign In'}
          </Button>
          <Button kind="line" isSmall onClick={() => prompt.settle(false)}>
            Not now
          </Button>
        </div>
      </form>
      {hasPasskeys ? <PasskeyButton onSignedIn={handleSignedIn} /> : null}
      <p className="small quiet">
        No password?{' '}
        <ExternalLink href={paths.auth}>Sign in{provider ? ` with ${provider.name}` : ''} in another tab</ExternalLink>{' '}
        and come back.
      </p>
    </>
  );
}

function useSignInAgain({ person, prompt }: PasswordDialogProps) {
  const getClient = useAuthClient();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  /** Signs in again, as far as a password does. Returns the problem, or null. */
  const signIn = async (password: string): Promise<string | null> => {
    const auth = await getClient();
    const { data, error } = await auth.signInWithPassword({ email: person.email, password });
    if (error) return describeAuthError(error);
    if (data.user.id !== person.userId) return accountMessages.otherAccount;
    // Otherwise the dialog goes on with the code.
    if (!needsCode(data.session)) prompt.settle(true);
    return null;
  };

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const password = new FormData(form).get('password');
    if (isBusy || typeof password !== 'string') return;
    setIsBusy(true);
    signIn(password)
      .catch((error: unknown) => {
        logError('Nobody could be signed in:', error);
        return accountMessages.unreachable;
      })
      .then((problem) => {
        if (problem === null) return;
        setFailure(problem);
        setIsBusy(false);
        form.querySelector<HTMLElement>('[name=password]')?.focus();
      })
      .catch((error: unknown) => logError('The page could not go on:', error));
  };

  return { failure, isBusy, handleSubmit };
}

/** Continues when the same user has signed in in another tab, or has shown the second factor. */
function useSignInsElsewhere({ person, prompt }: PasswordDialogProps): void {
  const session = useSession();
  const wasOther = useRef(false);
  const isBack = session.status === 'signed-in' && session.userId === person.userId;
  useEffect(() => {
    // Not what was so when the dialog opened: a token may be refused while the session seems to live.
    if (isBack && wasOther.current) prompt.settle(true);
    wasOther.current = !isBack;
  }, [isBack, prompt]);
}
