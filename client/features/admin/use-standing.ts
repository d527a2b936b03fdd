import type { GoTrueClient } from '@supabase/auth-js';
import { useCallback, useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Me } from '../../../src/shared/contracts/me.js';
import type { Role } from '../../../src/shared/contracts/roles.js';
import { paths } from '../../../src/shared/paths.js';
import { AdminApi, tokenInTime } from '../../lib/admin-api.js';
import { describeError, SessionExpiredError, UnreachableError } from '../../lib/api-errors.js';
import type { LedHere } from '../../lib/led-here.js';
import { logError } from '../../lib/log-error.js';
import { LostPartError } from '../../lib/lost-part.js';
import { SessionPrompt } from '../../lib/session-prompt.js';
import { useAuthClient } from '../../lib/session.js';
import { showToast } from '../../lib/toast.js';
import { TURNED_AWAY } from '../../lib/turned-away.js';

/** The toast of product.md 8.2. */
const DENIED = { title: 'Access Denied', text: 'You must be an admin to access this page.' } as const;

/** The result of checking the user; it stays 'checking' while a user without the role is sent elsewhere. */
export type Standing =
  | { readonly kind: 'checking' }
  | { readonly kind: 'failed'; /** In words. */ readonly reason: string; readonly retry: () => void }
  | { readonly kind: 'admitted'; readonly api: AdminApi; readonly prompt: SessionPrompt };

const CHECKING: Standing = { kind: 'checking' };

/**
 * Finds out whether there is a session and whether it is an administrator's or an author's, and sends everyone else away. That is a
 * courtesy: the server checks the role again at every call.
 * @param onDenied called when somebody turns out to have no role, now or at any later call
 */
export function useStanding(onDenied: () => void): Standing {
  const getClient = useAuthClient();
  const navigate = useNavigate();
  const [standing, setStanding] = useState(CHECKING);
  const [attempt, setAttempt] = useState(0);

  const deny = useCallback(() => {
    onDenied();
    showToast({ kind: 'error', ...DENIED });
    void navigate(paths.home, { replace: true, state: TURNED_AWAY });
  }, [navigate, onDenied]);

  const leadToAccount = useCallback(() => {
    const state: LedHere = { wanted: location.pathname + location.search };
    void navigate(paths.account, { replace: true, state });
  }, [navigate]);

  useEffect(() => {
    let isCurrent = true;
    const check = async () => {
      const ending = await admit(getClient, deny);
      if (!isCurrent) return;
      if (ending === 'no-session') void navigate(paths.auth, { replace: true });
      else if (ending === 'denied') deny();
      else if (ending === 'needs-factor') leadToAccount();
      else setStanding(ending);
    };
    check().catch((error: unknown) => {
      logError('The admin area could not be opened:', error);
      const retry = () => {
        if (error instanceof LostPartError) return location.reload();
        setStanding(CHECKING);
        setAttempt((made) => made + 1);
      };
      if (isCurrent) setStanding({ kind: 'failed', reason: describeError(error), retry });
    });
    return () => {
      isCurrent = false;
    };
  }, [attempt, deny, getClient, leadToAccount, navigate]);

  return standing;
}

type Ending = 'no-session' | 'denied' | 'needs-factor' | Extract<Standing, { kind: 'admitted' }>;

async function admit(getClient: () => Promise<GoTrueClient>, deny: () => void): Promise<Ending> {
  const auth = await getClient();
  const { data, error } = await tokenInTime(auth.getSession());
  if (error?.name === 'AuthRetryableFetchError') throw new UnreachableError(error.status ? 'server' : 'connection');
  if (!data.session) return 'no-session';
  const { id: userId, email = '', user_metadata: metadata } = data.session.user;
  const name = typeof metadata['full_name'] === 'string' ? metadata['full_name'].trim() : '';
  const prompt = new SessionPrompt();
  const apiOf = (role: Role | null, mayPublish: boolean) =>
    new AdminApi({ auth, person: { userId, email, name, role, mayPublish }, prompt, onDenied: deny });
  try {
    const me = await apiOf(null, false).get<Me>(paths.api.me, { isBackground: true });
    // During an upgrade, a server of release 0.1.0 may answer, which knows administrators alone.
    const role = me.role ?? (me.is_admin ? 'admin' : null);
    if (role === null) return 'denied';
    if (me.needs_second_factor) return 'needs-factor';
    return { kind: 'admitted', api: apiOf(role, me.may_publish || me.is_admin), prompt };
  } catch (failure) {
    if (failure instanceof SessionExpiredError) return 'no-session';
    throw failure;
  }
}
