import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { Clock } from '../../shared/clock.js';
import type { OneTimeTokenType } from './one-time-token.entity.js';
import { endsOfGoodTokens } from './one-time-tokens.js';
import { User, type UserRow } from '../accounts/user.entity.js';

/** The users with whose codes a code for an address is compared. */
export interface CodeHolders {
  /** The user of the address, or null. */
  readonly owner: UserRow | null;
  /** Also users who are changing to the address. */
  readonly userIds: readonly string[];
}

/**
 * Counted before it is compared, in one statement: of wrong codes that come at once, no more are compared than a code
 * bears.
 */
const COUNT = (users: number, types: number) => `
  update auth.one_time_tokens set wrong_codes = least(wrong_codes + 1, 10000)
  where user_id in (${questionMarks(users)}) and type in (${questionMarks(types)}) and expires_at > ? and expires_at <= ?
    and (wrong_codes < ? or ? = 0)
  returning id, token_hash as "tokenHash"`;

/** Compares codes that people type in, and counts the wrong ones per code. */
@Injectable()
export class CodesService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** @param type of the verification: a change goes to an address that its user does not have yet */
  async findHolders(address: string, type: string): Promise<CodeHolders> {
    const where = {
      email_change: { $or: [{ email: address, isSsoUser: false }, { newEmail: address }] },
      phone_change: { newPhone: address },
      sms: { phone: address },
    }[type] ?? { email: address, isSsoUser: false };
    const users = await this.em.fork({ disableTransactions: true }).find(User, { ...where, deletedAt: null });
    const owner = users.find(({ email, phone }) => email === address || phone === address) ?? null;
    return { owner, userIds: users.map(({ id }) => id) };
  }

  /**
   * Compares a code with those of some users. A wrong code counts for each code that it was compared with; after
   * AUTH_GUESSES_CODE of them a code is dead, and only the link of its mail is good.
   * @param tokenHash hash under which the token of the right code is stored
   */
  async compare(userIds: readonly string[], types: readonly OneTimeTokenType[], tokenHash: string): Promise<boolean> {
    if (userIds.length === 0) return false;
    const em = this.em.fork({ disableTransactions: true });
    const { perCode } = this.config.auth.guesses;
    const { $gt, $lte } = endsOfGoodTokens(this.clock.now(), this.config.auth);
    const values = [...userIds, ...types, $gt, $lte, perCode, perCode];
    const compared = await em.execute<{ id: string; tokenHash: string }[]>(COUNT(userIds.length, types.length), values);
    if (!compared.some((token) => token.tokenHash === tokenHash)) return false;
    // It was not wrong after all.
    const ids = compared.map(({ id }) => id);
    await em.execute(
      `update auth.one_time_tokens set wrong_codes = greatest(0, wrong_codes - 1) where id in (${questionMarks(ids.length)})`,
      ids,
    );
    return true;
  }
}

function questionMarks(count: number): string {
  return Array.from({ length: count }, () => '?').join();
}
