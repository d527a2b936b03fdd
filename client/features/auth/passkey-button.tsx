import { useState } from 'react';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { accountMessages } from '../../content/accounts.js';
import { logError } from '../../lib/log-error.js';
import { useAuthClient } from '../../lib/session.js';
import { canUseKeys, describeKeyError } from './describe-key-error.js';

/** Signs in with a passkey; the components that watch the session decide about the next page. */
export function PasskeyButton() {
  const getClient = useAuthClient();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const ask = async (): Promise<string | null> => {
    if (!canUseKeys()) return accountMessages.keysUnknown;
    const { error } = await (await getClient()).signInWithPasskey();
    if (error && 'code' in error && error.code === 'webauthn_verification_failed')
      return accountMessages.passkeyUnknown;
    return error ? describeKeyError(error) : null;
  };

  const handleUse = () => {
    if (isBusy) return;
    setIsBusy(true);
    setProblem(null);
    ask()
      .catch((error: unknown) => {
        logError('Nobody could be signed in with a passkey:', error);
        return accountMessages.unreachable;
      })
      .then((found) => {
        setProblem(found);
        setIsBusy(false);
      })
      .catch((error: unknown) => logError('The page could not go on:', error));
  };

  return (
    <div className="account-passkey">
      <Button kind="line" aria-disabled={isBusy} onClick={handleUse}>
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
