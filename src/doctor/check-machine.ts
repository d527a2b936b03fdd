import { existsSync } from 'node:fs';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../config/config.js';
import { SigningKeysService } from '../auth/keys/signing-keys.service.js';
import { describeError, fail, ok, warn, type Statement } from './finding.js';

const MIB = 1024 * 1024;
const LITTLE_BYTES = 1024 * MIB;
const TOO_LITTLE_BYTES = 100 * MIB;

/** The Node that runs this. */
export function checkNode(): Statement {
  return ok(`${process.version} on ${process.platform} ${process.arch}`);
}

/** Room for the database, images, mails and backups. */
export async function checkDisk({ dataDir }: Config): Promise<Statement> {
  const folder = nearestFolder(dataDir);
  try {
    await access(folder, constants.W_OK);
    if (!(await stat(folder)).isDirectory()) throw new Error('it is no folder');
  } catch (error) {
    if (folder === dataDir)
      return fail(`${folder} cannot be written: ${describeError(error)}`, 'Give it to the user of the server (chown).');
    // A folder of the system is not to be given away.
    return fail(
      `${dataDir} does not exist, and cannot be made`,
      `Make ${dataDir}, and give it to the user of the server.`,
    );
  }
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const sentence = `${Math.floor(free / MIB)} MiB are free for ${dataDir}`;
  const advice = 'Remove old backups and other files, or move DATA_DIR to a larger disk.';
  if (free < TOO_LITTLE_BYTES) return fail(sentence, advice);
  return free < LITTLE_BYTES ? warn(sentence, advice) : ok(sentence);
}

/** Checks that tokens can be signed. Reads keys and creates none. */
export async function checkKeys(config: Config): Promise<Statement> {
  const file = join(config.dataDir, 'auth-keys.json');
  const isGenerated = config.auth.jwt.keys === 'generated';
  if (isGenerated && !existsSync(file)) return warn('there are none yet', 'The first start makes them.');
  try {
    const keys = new SigningKeysService(config);
    if (isGenerated && ((await stat(file)).mode & 0o077) !== 0) {
      return warn(`others may read ${file}`, `Keep it to the user of the server: chmod 600 ${file}`);
    }
    const { alg, kid } = keys.current;
    const signs = `${alg}${kid === undefined ? '' : ` key ${kid}`} signs`;
    return ok(!isGenerated && existsSync(file) ? `${signs}; AUTH_JWT_ comes before the keys in ${file}` : signs);
  } catch (error) {
    const advice = isGenerated ? adviseOnKeys(error, file) : 'Correct AUTH_JWT_KEYS.';
    return fail(`they cannot be used: ${describeError(error)}`, advice);
  }
}

/** Tells what to do about generated keys that are not to be had: those that are only out of reach are not lost. */
export function adviseOnKeys(error: unknown, file: string): string {
  if (/^(?:EACCES|EPERM)$/.test((error as NodeJS.ErrnoException).code ?? '')) {
    return `Give ${file} to the user of the server (chown), who alone has to read it.`;
  }
  return (
    `Bring ${file} back from a copy. Only where there is none, remove it: everybody signs in again then, and ` +
    'authenticator apps are to be set up anew.'
  );
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}
