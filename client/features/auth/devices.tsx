import { useCallback, useEffect, useState } from 'react';
import type { AccountSession, AccountSessionList, EndedSessions } from '../../../src/shared/contracts/account.js';
import { paths } from '../../../src/shared/paths.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { accountMessages } from '../../content/accounts.js';
import { ApiError } from '../../lib/api-errors.js';
import { formatMoment } from '../../lib/format-moment.js';
import { showToast } from '../../lib/toast.js';
import { AccountPart, PartFailure } from './account-part.js';
import { useFailureWords, useOwnApi, type Owner } from './own-account-api.js';

const HEADING = 'account-devices';

/** The devices on which the user is signed in, each with a button that signs it out. */
export function Devices({ owner }: { readonly owner: Owner }) {
  const { sessions, failure, reload } = useSessions(owner);
  const { end, busy, outcome } = useEnding(owner, reload);
  const listed = sessions?.items.toSorted((one, other) => Number(other.is_current) - Number(one.is_current)) ?? [];
  return (
    <AccountPart id={HEADING} title="Devices">
      <p className="quiet">
        Where you are signed in. Is there one that you do not know? Sign it out, and change your password.
      </p>
      <div role="status">
        {failure ? <PartFailure text={failure} onRetry={reload} /> : null}
        {outcome ? (
          <Notice kind={outcome.kind}>
            <p>{outcome.text}</p>
          </Notice>
        ) : null}
      </div>
      {sessions || failure ? null : <p className="quiet">One moment...</p>}
      {listed.length > 0 ? (
        <ul role="list" className="account-list">
          {listed.map((session) => (
            <Device
              key={session.id}
              session={session}
              // One after another: a press that would do nothing is not offered.
              isBusy={busy !== null}
              onEnd={() => void end(session.id)}
            />
          ))}
        </ul>
      ) : null}
      {sessions && sessions.total > sessions.items.length ? (
        <p className="quiet small">And {sessions.total - sessions.items.length} more, last used before these.</p>
      ) : null}
      {sessions && sessions.total > 1 ? (
        <p>
          <Button kind="line" aria-disabled={busy !== null} onClick={() => void end(null)}>
            {busy === ALL ? 'Signing out...' : 'Sign out all other devices'}
          </Button>
        </p>
      ) : null}
    </AccountPart>
  );
}

interface DeviceProps {
  readonly session: AccountSession;
  readonly isBusy: boolean;
  readonly onEnd: () => void;
}

function Device({ session, isBusy, onEnd }: DeviceProps) {
  const name = nameOf(session);
  return (
    <li>
      <div>
        <p>
          <b>{name}</b> {session.is_current ? <Badge kind="quiet">This device</Badge> : null}
        </p>
        <p className="quiet small">
          {session.ip ? `${session.ip}, in the network ${session.network}` : 'Address unknown'}
          <br />
          Signed in {formatMoment(session.created_at, undefined)}, last used{' '}
          {formatMoment(session.last_used_at, undefined)}
        </p>
      </div>
      {session.is_current ? null : (
        <Button kind="line" isSmall aria-disabled={isBusy} onClick={onEnd}>
          Sign out
          <span className="visually-hidden">
            {' '}
            {name}, {session.ip ?? 'address unknown'}
          </span>
        </Button>
      )}
    </li>
  );
}

function nameOf({ browser, system }: AccountSession): string {
  if (browser === null && system === null) return 'Unknown device';
  return `${browser ?? 'Unknown browser'} on ${system ?? 'unknown system'}`;
}

function useSessions(owner: Owner) {
  const getApi = useOwnApi(owner);
  const describe = useFailureWords();
  const [sessions, setSessions] = useState<AccountSessionList | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [reading, setReading] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      try {
        const found = await (await getApi()).get<AccountSessionList>(paths.api.sessions, { isBackground: true });
        if (!isCurrent) return;
        setSessions(found);
        setFailure(null);
      } catch (error) {
        const text = await describe(error);
        if (isCurrent) setFailure(text);
      }
    };
    void read();
    return () => {
      isCurrent = false;
    };
  }, [getApi, describe, reading]);
  const reload = useCallback(() => setReading((count) => count + 1), []);
  return { sessions, failure, reload };
}

const ALL = 'all';

interface Outcome {
  readonly kind: 'success' | 'error';
  readonly text: string;
}

function useEnding(owner: Owner, reload: () => void) {
  const getApi = useOwnApi(owner);
  const describe = useFailureWords();
  const [busy, setBusy] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  /** Ends one session, or with null all others. */
  const end = async (id: string | null) => {
    if (busy !== null) return;
    setBusy(id ?? ALL);
    try {
      const text = await endSessions(await getApi(), id);
      setOutcome({ kind: 'success', text });
      showToast({ kind: 'success', title: accountMessages.deviceEnded.title, text });
      // The button that had the focus is gone.
      document.getElementById(HEADING)?.focus();
      reload();
    } catch (error) {
      setOutcome({ kind: 'error', text: await describe(error) });
    } finally {
      setBusy(null);
    }
  };

  return { end, busy, outcome };
}

async function endSessions(api: Awaited<ReturnType<ReturnType<typeof useOwnApi>>>, id: string | null): Promise<string> {
  if (id === null) {
    const { ended } = await api.request<EndedSessions>('DELETE', paths.api.sessions, { isBackground: true });
    return accountMessages.devicesEnded(ended);
  }
  try {
    await api.delete(paths.api.session(id), { isBackground: true });
  } catch (error) {
    // Ended already, by another tab or by its own device.
    if (!(error instanceof ApiError) || error.code !== 'session_not_found') throw error;
  }
  return accountMessages.deviceEnded.text;
}
