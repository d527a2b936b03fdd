import { useState } from 'react';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { LostPart } from '../../components/lost-part.js';
import { Notice } from '../../components/notice.js';
import { accountMessages } from '../../content/accounts.js';
import { AccountPage } from '../../features/auth/account-page.js';
import type { AccountPartsProps } from '../../features/auth/account-parts.js';
import { NoScriptNote } from '../../features/auth/no-script-note.js';
import { ProviderRefusal } from '../../features/auth/provider-button.js';
import { SecondStepPage } from '../../features/auth/second-step-page.js';
import { lazyPart } from '../../lib/lazy-part.js';
import { useSession } from '../../lib/session.js';

// Only for those who are signed in.
const AccountParts = lazyPart<AccountPartsProps>(
  async () => (await import('../../features/auth/account-parts.js')).AccountParts,
  LostPart,
);

/** Shows what the signed-in user signs in with, and changes it (product.md 2.11). */
export function Component() {
  const session = useSession();
  const [isDeleted, setIsDeleted] = useState(false);
  if (session.status === 'needs-code') return <SecondStepPage />;
  return (
    <AccountPage
      title="Your account"
      lede="What you sign in with, where you are signed in, and what we keep."
      description="See and change what you sign in with, and where you are signed in."
      isSignedIn={session.status === 'signed-in'}
    >
      <NoScriptNote />
      <ProviderRefusal />
      {session.status === 'unknown' ? <p className="quiet">One moment...</p> : null}
      {session.status === 'lost' ? <LostPart /> : null}
      <div role="status">{session.status === 'signed-out' ? isDeleted ? <Deleted /> : <NeedsSession /> : null}</div>
      {session.status === 'signed-in' ? (
        <AccountParts key={session.userId} owner={session} onDeleted={() => setIsDeleted(true)} />
      ) : null}
    </AccountPage>
  );
}

function Deleted() {
  return (
    <Notice kind="success">
      <p>{accountMessages.accountDeleted}</p>
    </Notice>
  );
}

function NeedsSession() {
  return (
    <div className="stack">
      <Notice>
        <p>To see your account, you have to be signed in.</p>
      </Notice>
      <ButtonLink to={paths.auth}>Sign in</ButtonLink>
    </div>
  );
}
