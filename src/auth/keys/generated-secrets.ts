import { generateKeyPairSync, randomBytes, randomUUID, type JsonWebKey } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { NO_LINKS } from '../../database/start-lock.js';
import { describeWriteFailure } from '../../http/disk-full.js';

/** A JSON Web Key (RFC 7517) as the configuration lists it. */
export interface Jwk extends JsonWebKey {
  readonly kid?: string;
  readonly alg?: string;
  readonly key_ops?: readonly string[];
  /** Ours: next, for a key that only verifies so far and is to sign. */
  readonly status?: string;
}

/** Secrets that the product generates where none are configured. */
export interface GeneratedSecrets {
  readonly keys: readonly Jwk[];
  readonly tokenSecret: string;
}

/** Path of the generated secrets; only their owner may read the file. */
export const secretsFile = (dataDir: string): string => join(dataDir, 'auth-keys.json');

/** A new ES256 key that signs. */
export function generateKey(): Jwk {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'ES256', key_ops: ['sign', 'verify'] };
}

/** The generated secrets, made on first use. Processes that start at once agree on one of them. */
export function loadGeneratedSecrets(dataDir: string): GeneratedSecrets {
  const known = readSecrets(dataDir);
  if (known !== undefined) return known;
  const draft = writeDraft(dataDir, { keys: [generateKey()], tokenSecret: randomBytes(32).toString('hex') });
  try {
    // Fails where the file exists: whoever was first has decided.
    publish(draft, secretsFile(dataDir));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const kept = readSecrets(dataDir);
  if (kept === undefined) throw new Error('The generated keys of accounts could not be kept in the data folder');
  return kept;
}

/** Gives a file its name, if nobody has it. A folder of another machine (SMB) may know no second name for a file. */
function publish(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!NO_LINKS.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    copyFileSync(draft, file, constants.COPYFILE_EXCL);
    flush(file);
  }
}

/** Writes other secrets over the generated ones; running processes keep theirs until they start again. */
export function replaceGeneratedSecrets(dataDir: string, secrets: GeneratedSecrets): void {
  renameSync(writeDraft(dataDir, secrets), secretsFile(dataDir));
}

/** @throws Error when the file is damaged: other secrets would sign everybody out for good */
function readSecrets(dataDir: string): GeneratedSecrets | undefined {
  const file = secretsFile(dataDir);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const secrets = parseSecrets(text);
  if (secrets === undefined) throw new Error(`${file} is damaged; bring it back from a copy`);
  return secrets;
}

/** The message of a parser would repeat a part of the secrets. */
function parseSecrets(text: string): GeneratedSecrets | undefined {
  try {
    const { keys, tokenSecret } = JSON.parse(text) as Partial<GeneratedSecrets>;
    return Array.isArray(keys) && typeof tokenSecret === 'string' ? { keys: keys as Jwk[], tokenSecret } : undefined;
  } catch {
    return undefined;
  }
}

function writeDraft(dataDir: string, secrets: GeneratedSecrets): string {
  mkdirSync(dataDir, { recursive: true });
  const draft = `${secretsFile(dataDir)}.${randomUUID()}`;
  try {
    writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
    chmodSync(draft, 0o600);
    flush(draft);
    return draft;
  } catch (cause) {
    rmSync(draft, { force: true });
    throw new Error(`The keys of accounts cannot be kept: ${describeWriteFailure(cause)}`, { cause });
  }
}

/** Makes the content last before its name does: a machine that loses its power would keep an empty file. */
function flush(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
