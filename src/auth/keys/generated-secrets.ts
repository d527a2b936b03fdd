import { generateKeyPairSync, randomBytes, randomUUID, type JsonWebKey } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWriteFailure } from '../../http/disk-full.js';

/** A JSON Web Key (RFC 7517) as the configuration lists it. */
export interface Jwk extends JsonWebKey {
  readonly kid?: string;
  readonly alg?: string;
  readonly key_ops?: readonly string[];
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
    linkSync(draft, secretsFile(dataDir));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const kept = readSecrets(dataDir);
  if (kept === undefined) throw new Error('The generated keys of accounts could not be kept in the data folder');
  return kept;
}

/** Writes other secrets over the generated ones; running processes keep theirs until they start again. */
export function replaceGeneratedSecrets(dataDir: string, secrets: GeneratedSecrets): void {
  renameSync(writeDraft(dataDir, secrets), secretsFile(dataDir));
}

function readSecrets(dataDir: string): GeneratedSecrets | undefined {
  try {
    return JSON.parse(readFileSync(secretsFile(dataDir), 'utf8')) as GeneratedSecrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function writeDraft(dataDir: string, secrets: GeneratedSecrets): string {
  mkdirSync(dataDir, { recursive: true });
  const draft = `${secretsFile(dataDir)}.${randomUUID()}`;
  try {
    writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
    chmodSync(draft, 0o600);
    return draft;
  } catch (cause) {
    rmSync(draft, { force: true });
    throw new Error(`The keys of accounts cannot be kept: ${describeWriteFailure(cause)}`, { cause });
  }
}
