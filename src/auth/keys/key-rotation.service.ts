import { setTimeout } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import type { Config } from '../../config/config.js';
import { withDirectConnection } from '../../database/direct-connection.js';
import { withLockFile } from '../../database/start-lock.js';
import { loadGeneratedSecrets, replaceGeneratedSecrets, secretsFile, type Jwk } from './generated-secrets.js';
import {
  addNextKey,
  findNextKey,
  findRetiring,
  nameOf,
  promoteNextKey,
  RotationError,
  stateOf,
  type KeyState,
} from './key-ring.js';
import {
  findServersSigningWith,
  findServersWithout,
  noteProgramToken,
  readTokensUntil,
  type SeenServer,
} from './signing-key-uses.js';
import { readKeys } from './signing-keys.service.js';

/** The keys after a step of a rotation. */
export interface RotatedKeys {
  /** The list for the operator to set; null where the product keeps it and has written it. */
  readonly keys: readonly Jwk[] | null;
  /** Names of the keys that the step was about. */
  readonly about: readonly string[];
}

/** A key of a rotation, for people. */
export interface ListedKey {
  readonly name: string;
  readonly kid: string;
  readonly state: KeyState;
}

/** AUTH_JWT_SECRET as a key of the list: it has no name, as tokens that it signs name none. */
const SECRET = 'AUTH_JWT_SECRET';

/**
 * Rotates keys so that no token is refused meanwhile: a new key verifies on every server before it signs on any, and the
 * former one goes when no token of it is left. The running servers announce their keys in the database.
 */
export class KeyRotationService {
  constructor(private readonly config: Config) {}

  /** The place in which the keys are kept, for people. */
  get place(): string {
    return this.isGenerated ? secretsFile(this.config.dataDir) : 'AUTH_JWT_KEYS';
  }

  /** Lists all keys that verify. */
  list(): ListedKey[] {
    const keys = this.read();
    const listed = keys.map((key) => ({ name: nameOf(key), kid: key.kid ?? '', state: stateOf(key) }));
    if (this.config.auth.jwt.secret === undefined) return listed;
    const state = keys.some((key) => stateOf(key) === 'current') ? 'former' : 'current';
    return [...listed, { name: SECRET, kid: '', state }];
  }

  /** Adds a key that verifies. @throws RotationError */
  async add(): Promise<RotatedKeys> {
    return await this.change((keys) => {
      const next = addNextKey(keys);
      return { keys: next, about: [nameOf(findNextKey(next))] };
    });
  }

  /**
   * Lets the added key sign.
   * @param isForced does not ask which servers know it
   * @throws RotationError when none was added, or a running server does not know it
   */
  async promote(isForced: boolean): Promise<RotatedKeys> {
    return await this.change(async (keys) => {
      const next = findNextKey(keys);
      if (!isForced) await this.ask((client) => assertKnownEverywhere(client, next));
      return { keys: promoteNextKey(keys), about: [nameOf(next)] };
    });
  }

  /**
   * Leaves out former keys, or the one of that name.
   * @param isForced does not ask whether tokens of them are good still, nor who signs with them
   * @throws RotationError when there is none, or tokens of one may be good still
   */
  async retire(kid: string | undefined, isForced: boolean): Promise<RotatedKeys> {
    return await this.change(async (keys) => {
      const retiring = findRetiring(keys, kid);
      const isSecretFormer =
        kid === undefined && this.list().some(({ name, state }) => name === SECRET && state === 'former');
      const about = [...retiring.map(nameOf), ...(isSecretFormer ? [SECRET] : [])];
      if (about.length === 0) throw new RotationError('There is no former key. See: auth keys list');
      const kids = new Set([...retiring.map((key) => key.kid ?? ''), ...(isSecretFormer ? [''] : [])]);
      if (!isForced) await this.ask((client) => assertUnused(client, [...kids]));
      return { keys: keys.filter((key) => !retiring.includes(key)), about };
    });
  }

  /** Notes that a program has a token of the current key until then. @throws Error when the database cannot be asked */
  async noteProgramToken(kid: string, until: Date): Promise<void> {
    await withDirectConnection(this.config, 'auth', (client) => noteProgramToken(client, kid, until));
  }

  private get isGenerated(): boolean {
    return this.config.auth.jwt.keys === 'generated';
  }

  private read(): readonly Jwk[] {
    const { keys } = this.config.auth.jwt;
    return keys === undefined ? [] : readKeys(keys, this.config.dataDir);
  }

  private async change(step: (keys: readonly Jwk[]) => Promise<Rotated> | Rotated): Promise<RotatedKeys> {
    if (!this.isGenerated) return await step(this.read());
    const { dataDir } = this.config;
    loadGeneratedSecrets(dataDir);
    return await withLockFile(`${secretsFile(dataDir)}.lock`, async () => {
      const secrets = loadGeneratedSecrets(dataDir);
      const { keys, about } = await step(secrets.keys);
      replaceGeneratedSecrets(dataDir, { ...secrets, keys });
      return { keys: null, about };
    });
  }

  private async ask(question: (client: ClientBase) => Promise<void>): Promise<void> {
    try {
      await withDirectConnection(this.config, 'auth', question);
    } catch (error) {
      if (error instanceof RotationError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new RotationError(`The database cannot be asked which keys the servers use (${reason}). ${FORCE}`);
    }
  }
}

interface Rotated {
  readonly keys: readonly Jwk[];
  readonly about: readonly string[];
}

const FORCE = 'To do it all the same: --force';
/** A server that lost its connection is not to be seen until it has another one, which takes it half a second or more. */
const LOOKING_MS = 2500;
const LOOK_AGAIN_MS = 250;

/** Looks until servers are seen, or none was for a while. */
async function look(find: () => Promise<readonly SeenServer[]>): Promise<readonly SeenServer[]> {
  const end = performance.now() + LOOKING_MS;
  for (;;) {
    const servers = await find();
    if (servers.length > 0 || performance.now() > end) return servers;
    await setTimeout(LOOK_AGAIN_MS);
  }
}

async function assertKnownEverywhere(client: ClientBase, next: Jwk): Promise<void> {
  const servers = await look(() => findServersWithout(client, next.kid ?? ''));
  if (servers.length === 0) return;
  throw new RotationError(
    `Key ${nameOf(next)} would sign tokens that ${describeServers(servers)} would refuse. Start every server again with the ` +
      `keys of "auth keys add" first. ${FORCE}`,
  );
}

async function assertUnused(client: ClientBase, kids: readonly string[]): Promise<void> {
  for (const kid of kids) {
    const name = kid === '' ? 'The key without a name' : `Key ${kid}`;
    const servers = await look(() => findServersSigningWith(client, kid));
    if (servers.length > 0) {
      throw new RotationError(
        `${name} still signs on ${describeServers(servers)}. Start every server again with the keys of "auth keys promote" ` +
          `first. ${FORCE}`,
      );
    }
    const { sessions, programs } = await readTokensUntil(client, kid);
    const now = new Date();
    if (programs !== null && programs > now) {
      throw new RotationError(
        `${name} signed a token of "auth service-role-token" that is good until ${programs.toISOString()}. Make another ` +
          `one, set it where the old one is, and then: --force`,
      );
    }
    if (sessions !== null && sessions > now) {
      throw new RotationError(`${name} signed tokens that may be good until ${sessions.toISOString()}. ${FORCE}`);
    }
  }
}

function describeServers(servers: readonly SeenServer[]): string {
  const places = servers.map(({ address, since }) => `${address ?? 'this machine'} (since ${since.toISOString()})`);
  return `${servers.length} running server${servers.length === 1 ? '' : 's'} at ${places.join(', ')}`;
}
