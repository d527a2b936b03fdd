import { useCallback } from 'react';
import { AdminApi } from '../../lib/admin-api.js';
import { ApiError, describeError, SessionExpiredError } from '../../lib/api-errors.js';
import { logError } from '../../lib/log-error.js';
import { SessionPrompt } from '../../lib/session-prompt.js';
import { useAuthClient } from '../../lib/session.js';

/** The user whose account the page shows. */
export interface Owner {
  readonly userId: string;
  readonly email: string;
}

/** Hands out calls to /api in the name of the user, with an access token that is renewed when it ran out. */
export function useOwnApi({ userId, email }: Owner): () => Promise<AdminApi> {
  const getClient = useAuthClient();
  return useCallback(async () => {
    const auth = await getClient();
    // Nobody is asked for a password in place: the page says by itself that the session has ended.
    const prompt = new SessionPrompt();
    const person = { userId, email, name: '', role: null, mayPublish: false };
    return new AdminApi({ auth, person, prompt, onDenied: () => undefined });
  }, [getClient, userId, email]);
}

/** Hands out the words for a failed call; a session that was ended elsewhere is forgotten here too. */
export function useFailureWords(): (error: unknown) => Promise<string> {
  const getClient = useAuthClient();
  return useCallback(
    async (error) => {
      if (error instanceof SessionExpiredError) await (await getClient()).signOut({ scope: 'local' });
      // A refusal is an answer.
      else if (!(error instanceof ApiError)) logError('The account could not be read or changed:', error);
      return describeError(error);
    },
    [getClient],
  );
}
