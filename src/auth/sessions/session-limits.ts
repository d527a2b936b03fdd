import type { AuthConfig } from '../../config/auth-config.js';
import { CLOCK_TOLERANCE_MS, isAhead } from '../../shared/clock.js';
import type { SessionRow } from './session.entity.js';

type Settings = Pick<AuthConfig['session'], 'timebox' | 'inactivity'>;

/** A moment of a session, from which on it may last for so long. */
interface SessionLimit {
  readonly column: string;
  readonly momentOf: (session: SessionRow) => Date | null | undefined;
  readonly lastsMs: number;
  /** False for a moment that was set; one that was noted as the present and lies far ahead is of a clock that was wrong. */
  readonly isNoted: boolean;
  /** The words of its refusal beside those that all have. */
  readonly suffix: string;
}

/** The limits by which sessions end as time goes by (auth-api.md 2.1). */
function limitsOf({ timebox, inactivity }: Settings): SessionLimit[] {
  const end = {
    column: 'not_after',
    momentOf: (row: SessionRow) => row.notAfter,
    lastsMs: 0,
    isNoted: false,
    suffix: '',
  };
  const age = {
    column: 'created_at',
    momentOf: (row: SessionRow) => row.createdAt,
    lastsMs: timebox * 1000,
    isNoted: true,
    suffix: '',
  };
  const rest = {
    column: 'coalesce(refreshed_at, created_at)',
    momentOf: (row: SessionRow) => row.refreshedAt ?? row.createdAt,
    lastsMs: inactivity * 1000,
    isNoted: true,
    suffix: ' (Inactivity)',
  };
  return [end, ...(timebox > 0 ? [age] : []), ...(inactivity > 0 ? [rest] : [])];
}

/** Returns the limit that a session has passed, or undefined. */
export function findPassedLimit(
  session: SessionRow,
  settings: Settings,
  now: Date,
): Pick<SessionLimit, 'suffix'> | undefined {
  return limitsOf(settings).find(({ momentOf, lastsMs, isNoted }) => {
    const moment = momentOf(session);
    if (!moment) return false;
    return moment.getTime() < now.getTime() - lastsMs || (isNoted && isAhead(moment, now));
  });
}

/**
 * The same as a condition on rows of `auth.sessions`, with the values of its question marks.
 * @param forMs how long they must have been over; of those that a wrong clock dated ahead nobody knows, and they are left out
 */
export function overCondition(settings: Settings, now: Date, forMs = 0): { sql: string; values: Date[] } {
  const parts = limitsOf(settings).map(({ column, lastsMs, isNoted }) => {
    const before = new Date(now.getTime() - lastsMs - forMs);
    if (!isNoted || forMs > 0) return { sql: `${column} < ?`, values: [before] };
    return { sql: `${column} < ? or ${column} > ?`, values: [before, new Date(now.getTime() + CLOCK_TOLERANCE_MS)] };
  });
  return {
    sql: `coalesce(${parts.map(({ sql }) => sql).join(' or ')}, false)`,
    values: parts.flatMap(({ values }) => values),
  };
}
