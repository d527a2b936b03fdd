import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { AccountPage } from '../../features/auth/account-page.js';
import { LinkedIdentities } from '../../features/auth/linked-identities.js';
import { NoScriptNote } from '../../features/auth/no-script-note.js';
import { ProviderRefusal } from '../../features/auth/provider-button.js';
import { SecondStepPage } from '../../features/auth/second-step.js';
import { lazyPart } from '../../lib/lazy-part.js';
import { useSession } from '../../lib/session.js';
import { useSite } from '../../lib/site-context.js';

// Only for those who are signed in.
const SecondFactors = lazyPart(async () => (await import('../../features/auth/second-factors.js')).SecondFactors);
const Passkeys = lazyPart(async () => (await import('../../features/auth/passkeys.js')).Passkeys);

/** Shows what the signed-in user signs in with, and changes it (product.md 2.11). */
export function Component() {
  const session = useSession();
  const { hasPasskeys } = useSite().accounts;
  if (session.status === 'needs-code') return <SecondStepPage />;
  return (
    <AccountPage
      title="Your account"
      lede="What you sign in with."
      description="See and change what you sign in with."
      isSignedIn={session.status === 'signed-in'}
    >
      <NoScriptNote />
      <ProviderRefusal />
      {session.status === 'unknown' ? <p className="quiet">One moment...</p> : null}
      <div role="status">{session.status === 'signed-out' ? <NeedsSession /> : null}</div>
      {session.status === 'signed-in' ? (
        <>
          <SignInFacts email={session.email} />
          <LinkedIdentities key={`ways ${session.userId}`} />
          <SecondFactors key={`factors ${session.userId}`} />
          {hasPasskeys ? <Passkeys key={`passkeys ${session.userId}`} /> : null}
        </>
      ) : null}
    </AccountPage>
  );
}

function SignInFacts({ email }: { readonly email: string }) {
  return (
    <section className="account-part" aria-labelledby="account-password">
      <h2 id="account-password">Email and password</h2>
      <p className="account-address">{email}</p>
      <p>
        <a className="link" href={paths.authNewPassword}>
          Change password
        </a>
      </p>
    </section>
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
