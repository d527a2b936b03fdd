import type { Finding } from '../doctor/doctor.service.js';
import type { Attention } from '../shared/contracts/overview.js';
import { isAhead } from '../shared/clock.js';
import { toDay } from '../shared/dates.js';

/** The moment and the zone in which the words are read. */
export interface WordsContext {
  readonly now: Date;
  readonly timeZone: string;
}

type Sentences = Pick<Attention, 'title' | 'advice' | 'command'>;
type Writer = (finding: Finding, context: WordsContext, others: ReadonlyMap<string, Finding>) => Sentences | null;

const DAY_MS = 24 * 60 * 60 * 1000;
const WEEK_DAYS = 6;
const NUMBERS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');
const DOCTOR = 'npm run cli -- doctor';
const TELL = 'Tell whoever runs the server.';

/**
 * The checks of `doctor` whose findings the office is told of, in the order in which they are shown. The words are
 * written here and not taken from the finding, which may name hosts, folders and people.
 */
const writers: Readonly<Record<string, Writer>> = {
  database: failing('The database has a problem', TELL),
  mail: ({ level }, context, others) => {
    const since = others.get('queue')?.since;
    if (level === 'warn') {
      return {
        title: 'No mail leaves this site',
        advice: 'Mails are kept on the server instead of being sent. A mail server has to be set (SMTP_URL).',
        command: DOCTOR,
      };
    }
    return {
      title: `Mail cannot be delivered${since === undefined ? ' at the moment' : ` since ${sinceWords(since, context)}`}`,
      advice: `Nothing is lost: enquiries are kept here and go out once the mail server takes them again. ${TELL}`,
      command: DOCTOR,
    };
  },
  queue: ({ level, since }, context, others) => {
    // The mail says so already.
    if (others.get('mail')?.level === 'fail') return null;
    if (since === undefined) return failing('Work is left undone', TELL)(level);
    return {
      title: `Mail has been waiting since ${sinceWords(since, context)}`,
      advice: `It is tried again by itself. ${TELL}`,
      command: DOCTOR,
    };
  },
  'mail-budget': failing(
    'The mails of this hour are used up',
    `People who sign up, are invited or ask for a mail of their account are told to try later. ${TELL}`,
  ),
  backup: ({ since, hasObstacle }, { now }) => {
    if (hasObstacle) {
      return {
        title: 'No backup can be made',
        advice: `The user of the server cannot write their folder. ${TELL}`,
        command: DOCTOR,
      };
    }
    return {
      title: since === undefined ? 'No backup has been made yet' : backupWords(new Date(since), now),
      advice: 'Have one made, and kept on another machine.',
      command: 'npm run cli -- backup create',
    };
  },
  disk: ({ level }) => ({
    title:
      level === 'fail'
        ? 'The disk of the server is full, or cannot be written'
        : 'The disk of the server is nearly full',
    advice: `Old backups and other files have to go, or the disk has to grow. ${TELL}`,
    command: DOCTOR,
  }),
  storage: failing('Pictures cannot be stored', `Posts can be written without new pictures meanwhile. ${TELL}`),
  images: failing('Pictures of posts are lost', 'A backup may bring them back.', 'npm run cli -- media repair'),
  'public-url': failing(
    'The public address of the site cannot be used',
    `PUBLIC_URL may name this machine only, or browsers may refuse its certificate. ${TELL}`,
  ),
  clock: failing('The clock of the server is wrong', `Sign-ins and planned posts go by it. ${TELL}`),
  'admin-factors': () => ({
    title: 'An administrator has no second factor',
    advice: 'The admin area is closed to them until they add one under Account.',
    command: null,
  }),
};

/** The names of the checks that {@link toAttention} has words for. */
export const OFFICE_CHECKS: ReadonlySet<string> = new Set(Object.keys(writers));

/** Puts what `doctor` found into words for people who do not run the server; what is well is left out. */
export function toAttention(findings: readonly Finding[], context: WordsContext): Attention[] {
  const byCheck = new Map(findings.map((finding) => [finding.check, finding]));
  return Object.entries(writers).flatMap(([check, write]) => {
    const finding = byCheck.get(check);
    if (finding === undefined || finding.level === 'ok') return [];
    const sentences = write(finding, context, byCheck);
    return sentences === null ? [] : [{ check, is_urgent: finding.level === 'fail', ...sentences }];
  });
}

/** Words for a check whose warnings are for operators alone. */
function failing(title: string, advice: string, command = DOCTOR) {
  return (finding: Finding | Finding['level']): Sentences | null => {
    const level = typeof finding === 'string' ? finding : finding.level;
    return level === 'fail' ? { title, advice, command } : null;
  };
}

/** '9:12 AM' of today, 'Tuesday' of the last days, 'November 3' before that, in the zone of the site. */
export function sinceWords(iso: string, { now, timeZone }: WordsContext): string {
  const at = new Date(iso);
  const write = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { ...options, timeZone }).format(at).replace(/\u202f/g, ' ');
  if (toDay(at, timeZone) === toDay(now, timeZone)) return write({ hour: 'numeric', minute: '2-digit' });
  if (now.getTime() - at.getTime() < WEEK_DAYS * DAY_MS) return write({ weekday: 'long' });
  return write({ month: 'long', day: 'numeric' });
}

/** Says how old the last backup is, without a full stop. */
export function backupWords(at: Date, now: Date): string {
  if (isAhead(at, now))
    return `The last backup is dated ${at.toISOString().slice(0, 10)}, so nobody knows how old it is`;
  return `The last backup is ${ageWords(at, now)} old`;
}

/** 'nine days', with figures above twelve. */
export function ageWords(at: Date, now: Date): string {
  const days = Math.max(0, Math.floor((now.getTime() - at.getTime()) / DAY_MS));
  return `${NUMBERS[days] ?? days} ${days === 1 ? 'day' : 'days'}`;
}
