import { useRef, useState } from 'react';
import { paths } from '../../../src/shared/paths.js';
import { Tabs } from '../../components/tabs.js';
import { useSite } from '../../lib/site-context.js';
import { AccountForm } from './account-form.js';
import { EmailField, SecretField } from './fields.js';
import { PasskeyButton } from './passkey-button.js';
import { useSignIn, useSignUp } from './use-sign-in.js';

type Mode = 'sign-in' | 'sign-up';

const tabs = [
  { key: 'sign-in', label: 'Sign In' },
  { key: 'sign-up', label: 'Sign Up' },
] as const;

/** Signing in and signing up (product.md 2.11). An address typed on one tab is there on the other. */
export function SignInPanel() {
  const [mode, setMode] = useState<Mode>('sign-in');
  const [email, setEmail] = useState('');
  const panel = useRef<HTMLDivElement>(null);
  const signIn = useSignIn();
  const { hasPasskeys } = useSite().accounts;

  const handleSelect = (next: Mode) => {
    setEmail(panel.current?.querySelector<HTMLInputElement>('[name=email]')?.value ?? '');
    setMode(next);
  };
  const signUp = useSignUp(() => handleSelect('sign-in'));

  return (
    <div ref={panel}>
      <Tabs label="Sign in or create an account" tabs={tabs} selected={mode} onSelect={handleSelect}>
        {mode === 'sign-in' ? (
          <>
            <AccountForm
              key="sign-in"
              contract="credentials"
              action={paths.auth}
              submitLabel="Sign In"
              busyLabel="Signing in..."
              onSend={signIn}
              aside={
                <a className="link" href={paths.authRecover}>
                  Forgot your password?
                </a>
              }
            >
              {(problems) => (
                <>
                  <EmailField problems={problems} defaultValue={email} />
                  <SecretField problems={problems} />
                </>
              )}
            </AccountForm>
            {hasPasskeys ? <PasskeyButton /> : null}
          </>
        ) : (
          <AccountForm
            key="sign-up"
            contract="credentials"
            action={paths.auth}
            submitLabel="Sign Up"
            busyLabel="Creating account..."
            onSend={signUp}
          >
            {(problems) => (
              <>
                <EmailField problems={problems} defaultValue={email} />
                <SecretField problems={problems} isNew />
              </>
            )}
          </AccountForm>
        )}
      </Tabs>
    </div>
  );
}
