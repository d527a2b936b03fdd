import { basename } from 'node:path';
import { isAhead } from '../shared/clock.js';
import { BackupError, UnreadBackupError } from './backup.error.js';
import type { ListedBackup } from './backup.service.js';
import { isComplete } from './manifest.js';

/** Complete backups that stay, however old they are, the newest ones: a clock that is wrong can make all of them old. */
export const KEPT_COMPLETE = 7;

const DAY_MS = 24 * 60 * 60 * 1000;
/** Names that `backup create` chooses, with a number for the second of a moment. Files with a name of somebody's own are theirs to remove. */
const OWN_NAME = /^backup-\d{8}T\d{6}Z(?:-\d+)?\.tar$/;

/** Which backups go, and of those that stay although they seem to be old, why. */
export interface Pruning {
  readonly removed: readonly ListedBackup[];
  /** Complete ones that would be too old. */
  readonly spared: readonly ListedBackup[];
  /** Those of a time that is still to come, whose age nobody knows. */
  readonly ahead: readonly ListedBackup[];
  /** Old files that cannot be looked into: each may be the last good one, such as those that another user has made. */
  readonly unread: readonly (ListedBackup & { readonly content: UnreadBackupError })[];
}

/** Chooses among the backups of a folder: what is older than so many days goes, but for the last complete ones. */
export function choosePrunable(backups: readonly ListedBackup[], days: number, now: number): Pruning {
  const own = backups.filter(({ file }) => OWN_NAME.test(basename(file)));
  const ahead = own.filter((backup) => isAhead(madeAt(backup), now));
  const dated = own.filter((backup) => !ahead.includes(backup));
  const complete = dated.filter(({ content }) => !(content instanceof BackupError) && isComplete(content));
  const last = complete.sort((one, other) => madeAt(other) - madeAt(one)).slice(0, KEPT_COMPLETE);
  const old = dated.filter((backup) => now - madeAt(backup) > days * DAY_MS);
  return {
    removed: old.filter((backup) => !last.includes(backup) && !isUnread(backup)),
    spared: old.filter((backup) => last.includes(backup)),
    ahead,
    unread: old.filter(isUnread),
  };
}

function isUnread(backup: ListedBackup): backup is ListedBackup & { readonly content: UnreadBackupError } {
  return backup.content instanceof UnreadBackupError;
}

/** One that is damaged, or cannot be looked into, is as old as its file. */
function madeAt({ content, writtenAt }: ListedBackup): number {
  return content instanceof BackupError ? writtenAt.getTime() : Date.parse(content.createdAt);
}
