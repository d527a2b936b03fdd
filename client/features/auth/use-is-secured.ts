import { useEffect, useState } from 'react';
import { logError } from '../../lib/log-error.js';
import { useAuthClient } from '../../lib/session.js';

/** Returns true while the session is one in which a second factor was shown. */
export function useIsSecured(): boolean {
  const getClient = useAuthClient();
  const [isSecured, setIsSecured] = useState(false);
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isGone = false;
    const watch = async () => {
      const auth = await getClient();
      const look = async () => {
        const { data } = await auth.mfa.getAuthenticatorAssuranceLevel();
        setIsSecured(data?.currentLevel === 'aal2');
      };
      await look();
      // The client waits for this callback, so it must not wait for the client.
      const { data } = auth.onAuthStateChange(() => void setTimeout(() => void look(), 0));
      stop = () => data.subscription.unsubscribe();
      if (isGone) stop();
    };
    watch().catch((error: unknown) => logError('The session could not be read:', error));
    return () => {
      isGone = true;
      stop?.();
    };
  }, [getClient]);
  return isSecured;
}
