import type { Session } from '@supabase/auth-js';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { accountMessages } from '../../content/accounts.js';
import { useAuthClient } from '../../lib/session.js';
import { describeKeyError } from './describe-key-error.js';
import { useKeyAttempt } from './use-attempt.js';

/** Signs in with a passkey; the components that watch the session decide about the next page. */
export function PasskeyButton({ onSignedIn }: { readonly onSignedIn?: (session: Session) => void }) {
  const getClient = useAuthClient();
  const ask = async () => {
    const { data, error } = await (await getClient()).signInWithPasskey();
    if (error && 'code' in error && error.code === 'webauthn_verification_failed')
      return accountMessages.passkeyUnknown;
    if (error) return describeKeyError(error);
    if (data.session) onSignedIn?.(data.session);
    return null;
  };
  const { isBusy, problem, attempt } = useKeyAttempt(ask, 'Nobody could be signed in with a passkey:');

  return (
    <div className="account-passkey">
      <Button kind="line" aria-disabled={isBusy} onClick={attempt}>
        {isBusy ? 'Waiting for your device...' : 'Sign in with a passkey'}
      </Button>
      {problem ? (
        <div role="alert">
          <Notice kind="error">
            <p>{problem}</p>
          </Notice>
        </div>
      ) : null}
    </div>
  );
}
