import type { Finding } from '../doctor/doctor.service.js';
import { backupWords } from './office-words.js';

/** Something that an operator is told of, as it is at this moment. */
export interface AlarmState {
  /** Names the mark; with the machine where each has its own. */
  readonly name: string;
  readonly isOn: boolean;
  /** True for what every machine finds out for itself, and one tells: it is over when it is over on all of them. */
  readonly isOfAll?: true;
  /** True for what belongs to one machine: it is over as well when that machine is gone. */
  readonly isOfMachine?: true;
  /** A sentence: that it began, or that it is over. */
  readonly text: string;
  readonly data: Readonly<Record<string, string | null>>;
}

/** The checks of `doctor` that alarms follow from. */
export const WATCHED_CHECKS: ReadonlySet<string> = new Set(['mail', 'mail-budget', 'queue', 'disk', 'backup']);

/** Begins the names of alarms that belong to one machine; its name follows. */
export const DISK_ALARM = 'disk.';

const MARK_LENGTH = 80;

interface AlarmContext {
  readonly now: Date;
  /** The name of this machine, as each has a disk of its own. */
  readonly machine: string;
}

/** Says of each alarm whether it is on; of those that could not be found out, nothing. */
export function findAlarms(findings: readonly Finding[], { now, machine }: AlarmContext): AlarmState[] {
  const byCheck = new Map(findings.map((finding) => [finding.check, finding]));
  const [mail, queue, disk, backup] = ['mail', 'queue', 'disk', 'backup'].map((check) => byCheck.get(check));
  const budget = byCheck.get('mail-budget');
  const stuck = queue?.stuck;
  const isBackupOld = backup?.level !== 'ok' && backup?.since !== undefined;
  const alarms: (AlarmState | false)[] = [
    mail !== undefined && {
      name: 'mail',
      isOfAll: true,
      ...words(
        mail.level === 'fail' || stuck !== undefined,
        mailWords(mail, stuck, machine),
        'Mail is delivered again.',
      ),
      data: {
        alarm: 'mail',
        machine: mail.level === 'fail' ? machine : null,
        since: stuck?.since ?? queue?.since ?? null,
      },
    },
    // Between the two, mails wait for their turn: what somebody uses up again and again is one alarm.
    budget !== undefined &&
      budget.level !== 'warn' && {
        name: 'mail-budget',
        ...words(
          budget.level === 'fail',
          'The mails of the hour are used up: people who sign up or ask for a mail are refused.',
          'There are mails left for those who ask for one.',
        ),
        data: { alarm: 'mail-budget' },
      },
    disk !== undefined && {
      name: `${DISK_ALARM}${machine}`.slice(0, MARK_LENGTH),
      isOfMachine: true,
      ...words(
        disk.level !== 'ok',
        `The disk of ${machine} is nearly full, or cannot be written.`,
        `The disk of ${machine} has room again.`,
      ),
      data: { alarm: 'disk', machine },
    },
    // One that was never made is on the list of a good start.
    backup !== undefined &&
      (backup.level === 'ok' || isBackupOld) && {
        name: 'backup',
        ...words(isBackupOld, `${backupWords(new Date(backup.since ?? now), now)}.`, 'There is a new backup again.'),
        data: { alarm: 'backup', since: backup.since ?? null },
      },
  ];
  return alarms.filter((alarm) => alarm !== false);
}

/** Says that the alarm of the disk of a machine is over because the machine is gone, as a container that was replaced. */
export function toGoneDisk(machine: string): Pick<AlarmState, 'text' | 'data'> {
  return {
    text: `Nothing is heard any more of ${machine}, whose disk was nearly full.`,
    data: { alarm: 'disk', machine },
  };
}

function mailWords(mail: Finding, stuck: Finding['stuck'], machine: string): string {
  if (mail.level === 'fail') return `Mail cannot be delivered from ${machine}.`;
  return stuck?.scope === 'enquiries'
    ? 'Enquiries cannot be delivered to the address for enquiries.'
    : 'Mail cannot be delivered.';
}

function words(isOn: boolean, began: string, ended: string): Pick<AlarmState, 'isOn' | 'text'> {
  return { isOn, text: isOn ? began : ended };
}
