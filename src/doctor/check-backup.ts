import { access, constants, stat } from 'node:fs/promises';
import { BackupService } from '../backup/backup.service.js';
import type { Config } from '../config/config.js';
import type { ConnectedDatabase } from '../database/direct-connection.js';
import { isAhead } from '../shared/clock.js';
import { ok, warn, type Statement } from './finding.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const ADVICE = 'Run: npm run cli -- backup create, best once a day by a timer of the system.';

/** Returns the reason why no backup can be made in a folder; null where nothing is in the way. */
async function findObstacle(folder: string): Promise<string | null> {
  try {
    if (!(await stat(folder)).isDirectory()) return `${folder} is no folder: no backup can be made there`;
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? null : `${folder} cannot be read and written (${code}): no backup can be made there`;
  }
}

/** Checks that the last backup is not old. One that was made by other means is unknown here (BACKUP_WARN_DAYS=0). */
export async function checkBackup({ client }: ConnectedDatabase, config: Config): Promise<Statement> {
  const { warnDays } = config.backups;
  if (warnDays === 0) return ok('backups are made by other means (BACKUP_WARN_DAYS)');
  const { rows } = await client.query<{ at: Date }>(`select at from site_marks where name = 'backup.made'`);
  const service = new BackupService(config);
  const obstacle = await findObstacle(service.folder);
  if (obstacle !== null)
    return { ...warn(obstacle, 'Make it a folder of the user of the server (chown).'), hasObstacle: true };
  const filed = await service.findTimes();
  const now = Date.now();
  const all = [...rows.map(({ at }) => at), ...filed].map((at) => at.getTime());
  const known = all.filter((at) => !isAhead(at, now));
  if (known.length === 0 && all.length > 0) {
    // Nothing else is known, and it would count as new until that day.
    const since = new Date(Math.max(...all)).toISOString();
    return { ...warn(`the last one is dated ${since}, which is still to come: a clock was wrong`, ADVICE), since };
  }
  const last = Math.max(0, ...known);
  if (last === 0) {
    const sentence = 'no backup was made yet';
    return config.mode === 'production' ? warn(sentence, ADVICE) : ok(sentence);
  }
  const days = Math.max(0, Math.floor((now - last) / DAY_MS));
  const sentence = `the last one is ${days === 1 ? '1 day' : `${days} days`} old`;
  return { ...(days >= warnDays ? warn(sentence, ADVICE) : ok(sentence)), since: new Date(last).toISOString() };
}
