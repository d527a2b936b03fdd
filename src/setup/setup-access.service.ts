import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { RateLimitsService } from '../http/rate-limits/rate-limits.service.js';
import { Clock } from '../shared/clock.js';
import { SetupRefusedError } from './setup.errors.js';
import { SetupStateService } from './setup-state.service.js';
import { SiteSetup, type KeptSetupToken, type SiteSetupRow } from './site-setup.entity.js';

/** How long a token opens the setup, and a browser may go on with it, in hours. */
export const SETUP_HOURS = 24;
/** Tokens that are good at the same time: each start of a process prints its own. */
const MOST_TOKENS = 20;
/** Without letters that look like digits; 125 bits. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ0123456789';
const TOKEN_LENGTH = 25;
const GROUP = /.{5}/g;
/** Nobody guesses one; who tries is slowed down all the same, per internet address. */
const TRIES = { count: 20, seconds: 600, burst: 20 };

/** Hands out the tokens that open the setup, and knows the one browser that is at it. */
@Injectable()
export class SetupAccessService {
  constructor(
    private readonly em: EntityManager,
    private readonly state: SetupStateService,
    private readonly limits: RateLimitsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes a token, which is kept as a hash only.
   * @param options isOnly: true to void all others, and to end what a browser has begun
   * @returns null when there is nothing to set up
   */
  async issue({ isOnly }: { readonly isOnly: boolean }): Promise<string | null> {
    const token = Array.from(randomBytes(TOKEN_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
    const isIssued = await this.em.fork().transactional(async (em) => {
      const row = await lockSetup(em);
      if (!(await this.state.isWaiting(em))) return false;
      const kept = isOnly ? [] : row.tokens.filter(({ expiresAt }) => new Date(expiresAt) > this.clock.now());
      row.tokens = [...kept, { hash: hashOf(token), expiresAt: this.inHours().toISOString() }].slice(-MOST_TOKENS);
      if (isOnly) Object.assign(row, { sessionHash: null, sessionExpiresAt: null });
      return true;
    });
    return isIssued ? (token.match(GROUP) ?? []).join('-') : null;
  }

  /**
   * Lets a browser in that has a token. From then on no other one may go on, until it hands in a token as well.
   * @param ip the client's address
   * @returns the secret of its cookie
   * @throws SetupRefusedError
   */
  async enter(typed: string, ip: string): Promise<string> {
    const draw = await this.limits.draw(this.em.fork(), TRIES, `setup:${this.limits.keyOf(ip)}`);
    if (!draw.isGranted) throw new SetupRefusedError('too_many_tries', { seconds: draw.retryAfter });
    const hash = hashOf(plainOf(typed));
    const secret = randomBytes(32).toString('base64url');
    await this.change(async (_em, row) => {
      const token = findToken(row.tokens, hash);
      if (token === undefined) throw new SetupRefusedError('wrong_token');
      if (new Date(token.expiresAt) <= this.clock.now()) throw new SetupRefusedError('expired_token');
      row.begunAt ??= this.clock.now();
      Object.assign(row, { sessionHash: hashOf(secret), sessionExpiresAt: this.inHours() });
    });
    return secret;
  }

  /** Reads the setup for the browser that is at it. @throws SetupRefusedError for any other one */
  async read(secret: string): Promise<SiteSetupRow> {
    return await this.within(secret, async (_em, row) => row);
  }

  /**
   * Does a step in one transaction, for the browser that is at it; two steps at once follow each other.
   * @throws SetupRefusedError for any other browser, and once the setup is over
   */
  async within<T>(secret: string, task: (em: EntityManager, row: SiteSetupRow) => Promise<T>): Promise<T> {
    return await this.change(async (em, row) => {
      this.assertAtIt(row, secret);
      return await task(em, row);
    });
  }

  /** For a step that runs in a transaction of another room. @throws SetupRefusedError as {@link within} does */
  async admit(em: EntityManager, secret: string): Promise<SiteSetupRow> {
    const row = await lockSetup(em);
    await this.assertWaiting(em);
    this.assertAtIt(row, secret);
    return row;
  }

  private async change<T>(task: (em: EntityManager, row: SiteSetupRow) => Promise<T>): Promise<T> {
    return await this.em.fork().transactional(async (em) => {
      const row = await lockSetup(em);
      await this.assertWaiting(em);
      return await task(em, row);
    });
  }

  private async assertWaiting(em: EntityManager): Promise<void> {
    if (!(await this.state.isWaiting(em))) throw new SetupRefusedError('over');
  }

  private assertAtIt({ sessionHash, sessionExpiresAt }: SiteSetupRow, secret: string): void {
    if (sessionHash == null || sessionExpiresAt == null) throw new SetupRefusedError('no_session');
    if (!isSame(sessionHash, hashOf(secret))) throw new SetupRefusedError('taken_over');
    if (sessionExpiresAt <= this.clock.now()) throw new SetupRefusedError('no_session');
  }

  private inHours(): Date {
    return new Date(this.clock.now().getTime() + SETUP_HOURS * 3_600_000);
  }
}

/** Makes the row where there is none, and waits for others who are at it. */
async function lockSetup(em: EntityManager): Promise<SiteSetupRow> {
  await em.execute('insert into site_setup (id) values (1) on conflict (id) do nothing');
  await em.execute('select from site_setup where id = 1 for update');
  return await em.findOneOrFail(SiteSetup, { id: 1 }, { refresh: true });
}

/** Compares with every token, in the same time for each. */
function findToken(tokens: readonly KeptSetupToken[], hash: string): KeptSetupToken | undefined {
  return tokens.filter((token) => isSame(token.hash, hash)).at(-1);
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** The characters of a token as somebody typed it: in small letters, with blanks, without dashes, with letters for digits. */
function plainOf(typed: string): string {
  const plain = typed
    .slice(0, 200)
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '');
  return plain.replace(/[IL]/g, '1').replaceAll('O', '0');
}
