import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'react-router-dom';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { accountMessages } from '../../content/accounts.js';
import { AccountForm, type FormAnswer } from '../../features/auth/account-form.js';
import { AccountPage } from '../../features/auth/account-page.js';
import type { CredentialValues } from '../../features/auth/credentials-rules.js';
import { CodeField, CurrentPasswordField, SecretField } from '../../features/auth/fields.js';
import { isFirstPassword } from '../../features/auth/mail-link.js';
import { OwnerField } from '../../features/auth/owner-field.js';
import { SecondStepPage } from '../../features/auth/second-step-page.js';
import { isAboutMail, refuse } from '../../features/auth/use-sign-in.js';
import { useAuthClient, useSession } from '../../lib/session.js';
import { showToast } from '../../lib/toast.js';
import { useIsHydrated } from '../../lib/use-is-hydrated.js';

const WORDS = {
  first: {
    title: 'Your password',
    lede: 'Choose the password that you sign in with from now on.',
    label: 'Password',
    done: accountMessages.passwordSet,
  },
  new: {
    title: 'New password',
    lede: 'Choose a new password for your account. Every other device will be signed out.',
    label: 'New password',
    done: accountMessages.passwordChanged,
  },
} as const;

type Words = (typeof WORDS)[keyof typeof WORDS];

/** Sets a password for the signed-in user: the link of a recovery mail signs in, and that of an invitation. */
export function Component() {
  const session = useSession();
  const { state } = useLocation() as { readonly state: unknown };
  // The server's page is the same for everybody.
  const first = useIsHydrated() && isFirstPassword(state) ? state.first : null;
  const words = WORDS[first ? 'first' : 'new'];
  /** The user whose password was changed. */
  const [changed, setChanged] = useState<string | null>(null);
  const userId = session.status === 'signed-in' ? session.userId : null;
  const isChanged = changed !== null && changed === userId;
  const persons = usePersons(userId);
  if (session.status === 'needs-code') return <SecondStepPage />;
  return (
    <AccountPage title={words.title} lede={words.lede} description="Choose a new password for your account.">
      <div role="status">
        {isChanged ? <Changed words={words} next={first?.then ?? paths.home} /> : null}
        {session.status === 'signed-out' ? <NeedsLink /> : null}
        {persons > 1 && userId !== null && !isChanged ? <Notice>{accountMessages.otherAccount}</Notice> : null}
      </div>
      {session.status === 'signed-out' || isChanged ? null : (
        <NewPasswordForm
          // What was typed for one account is not for the next one.
          key={Math.max(persons, 1)}
          words={words}
          email={session.status === 'signed-in' ? session.email : ''}
          onChanged={setChanged}
        />
      )}
    </AccountPage>
  );
}

/** Counts the users whom this page has had: in another tab, another one may sign in. */
function usePersons(userId: string | null): number {
  const [{ last, count }, setPersons] = useState<{ last: string | null; count: number }>({ last: null, count: 0 });
  if (userId !== null && userId !== last) setPersons({ last: userId, count: count + 1 });
  return count;
}

interface NewPasswordFormProps {
  readonly words: Words;
  readonly email: string;
  /** Called with the id of the user. */
  readonly onChanged: (userId: string) => void;
}

function NewPasswordForm({ words, email, onChanged }: NewPasswordFormProps) {
  const getClient = useAuthClient();
  // Sessions that are old may have to show that the person still reads their mail (AUTH_REAUTHENTICATION_REQUIRED).
  const [isCodeAsked, setIsCodeAsked] = useState(false);
  // And what the password is now (AUTH_CURRENT_PASSWORD_REQUIRED).
  const [isCurrentAsked, setIsCurrentAsked] = useState(false);

  const askForCode = async (): Promise<FormAnswer> => {
    const { error } = await (await getClient()).reauthenticate();
    if (error && !isAboutMail(error)) return refuse(accountMessages.failed, error);
    setIsCodeAsked(true);
    // Too soon for another mail: the one before it is still good.
    return error ? refuse(accountMessages.failed, error) : { kind: 'success', text: accountMessages.codeAsked };
  };

  const handleSend = async ({ password, code, current }: CredentialValues): Promise<FormAnswer | null> => {
    const auth = await getClient();
    const { data, error } = await auth.updateUser({
      password,
      ...(isCodeAsked ? { nonce: code } : {}),
      ...(isCurrentAsked ? { current_password: current } : {}),
    });
    if (error?.code === 'current_password_required' || error?.code === 'current_password_invalid') {
      // The field has to be there before its problem gets the focus.
      flushSync(() => setIsCurrentAsked(true));
      const isWrong = error.code === 'current_password_invalid';
      const text = isWrong ? accountMessages.currentWrong : accountMessages.currentAsked;
      return { kind: 'error', text, problems: { current: text } };
    }
    if (error?.code === 'reauthentication_needed') return await askForCode();
    if (error?.code === 'reauthentication_not_valid')
      return { kind: 'error', text: accountMessages.codeNotValid, problems: { code: accountMessages.codeNotValid } };
    // Ended elsewhere: forgotten here too, so that the page says what is needed now.
    if (error?.name === 'AuthSessionMissingError') await auth.signOut({ scope: 'local' });
    if (error) return refuse(accountMessages.failed, error);
    showToast({ kind: 'success', ...words.done });
    onChanged(data.user.id);
    return null;
  };

  return (
    <AccountForm
      contract={isCodeAsked ? 'passwordWithCode' : 'password'}
      action={paths.authNewPassword}
      submitLabel="Save the password"
      busyLabel="Saving..."
      onSend={handleSend}
      second={isCodeAsked ? { label: 'Send a new code', contract: null, run: askForCode } : undefined}
    >
      {(problems) => (
        <>
          <OwnerField email={email} />
          {isCurrentAsked ? <CurrentPasswordField problems={problems} /> : null}
          <SecretField problems={problems} label={words.label} isNew />
          {isCodeAsked ? <CodeField problems={problems} /> : null}
        </>
      )}
    </AccountForm>
  );
}

function Changed({ words, next }: { readonly words: Words; readonly next: string }) {
  return (
    <div className="stack">
      <Notice kind="success">
        <p>{words.done.text} You are signed in.</p>
      </Notice>
      <ButtonLink to={next}>Continue</ButtonLink>
    </div>
  );
}

function NeedsLink() {
  return (
    <div className="stack">
      <Notice>
        <p>
          To choose a new password, you have to be signed in, or come from the link in our email. That link works once,
          and only for a while.
        </p>
      </Notice>
      <div className="row">
        <ButtonLink to={paths.authRecover}>Send me a link</ButtonLink>
        <ButtonLink to={paths.auth} kind="line">
          Sign in
        </ButtonLink>
      </div>
    </div>
  );
}
