import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { paths } from '../../../src/shared/paths.js';
import { AccountPage } from '../../features/auth/account-page.js';
import { ProviderButton, ProviderRefusal } from '../../features/auth/provider-button.js';
import { SecondStepPage } from '../../features/auth/second-step-page.js';
import { SignInPanel } from '../../features/auth/sign-in-panel.js';
import { useSession } from '../../lib/session.js';

/**
 * Signs in and up (product.md 2.11), with the code of the second factor where the account has one. Somebody who is signed
 * in, or becomes so in any tab, is sent home.
 */
export function Component() {
  const { status } = useSession();
  const navigate = useNavigate();
  useEffect(() => {
    if (status === 'signed-in') void navigate(paths.home, { replace: true });
  }, [status, navigate]);
  if (status === 'needs-code') return <SecondStepPage />;
  return (
    <AccountPage
      title="Welcome"
      lede="Sign in or create an account"
      description="Sign in to your account, or create one."
    >
      <ProviderRefusal />
      <SignInPanel />
      <ProviderButton />
      <p className="small">
        <a className="link" href={paths.authCode}>
          Type in a code from an email
        </a>
      </p>
    </AccountPage>
  );
}
