import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { CONFIG, type Config } from '../../config/config.js';
import { RolesService } from '../../roles/roles.service.js';
import type { Actor } from '../../shared/actor.js';
import { Clock } from '../../shared/clock.js';
import type { ImportItem, ImportOutcome } from '../../shared/contracts/import-report.js';
import { Identity } from '../accounts/identity.entity.js';
import { appMetadataOf, DEFAULT_ROLE, identityFacts, providersOf } from '../accounts/user-records.js';
import { User, type UserRow } from '../accounts/user.entity.js';
import { isImportedHash, readImportedUser, type ImportedUser } from './imported-user.js';
import { readUserRows, UserSourceError, type SourceRow } from './user-rows.js';

/** Accounts that are looked up and written together. */
const BATCH_SIZE = 500;

/** How to import. */
export interface UserImportOptions {
  /** Reports what would happen and writes nothing. */
  readonly isDryRun?: boolean;
}

/** A row on its way into the database. */
interface Work {
  readonly item: Omit<ImportItem, 'outcome' | 'reasons'>;
  /** Null when nothing is to be written. */
  readonly user: ImportedUser | null;
  /** The account of this id that is here already. */
  target: UserRow | null;
  outcome: ImportOutcome;
  reasons: readonly string[];
}

type UserWork = Work & { readonly user: ImportedUser };

/** Ids and addresses of this file by the row that claimed them first. */
type Claims = Map<string, string>;

/** Brings the accounts of the hosted service in, with the passwords that people have. */
@Injectable()
export class UserImportService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly roles: RolesService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Imports the rows of `auth.users`, as CSV with a header or as a JSON array, and yields each finished row. Users keep
   * their ids. An existing account gets the password and the confirmation that it had there, and the password only as
   * long as nobody has used or set one here: a second run changes nothing. If the file breaks off, the rows before are
   * imported, and a last item says so.
   * @param handleProgress called after each row with bytes read and bytes in all
   * @throws UserSourceError when nothing at all can be read
   */
  async *importUsers(
    actor: Actor,
    path: string,
    { isDryRun = false }: UserImportOptions = {},
    handleProgress: (done: number, total: number) => void = () => undefined,
  ): AsyncGenerator<ImportItem> {
    await this.roles.requireAdmin(actor);
    const claims: Claims = new Map();
    let isBegun = false;
    let [done, total] = [0, 0];
    const notePosition = (read: number, size: number) => void ([done, total] = [read, size]);
    try {
      for await (const rows of inBatches(readUserRows(path, notePosition))) {
        isBegun = true;
        const works = rows.map(toWork);
        await this.decideAll(works, claims);
        if (!isDryRun) await this.saveAll(actor, works.filter(isToBeWritten));
        for (const { item, outcome, reasons } of works) {
          handleProgress(done, total);
          yield { ...item, outcome, reasons };
        }
      }
    } catch (error) {
      if (!(error instanceof UserSourceError) || !isBegun) throw error;
      yield {
        file: basename(path),
        slug: null,
        redirects: [],
        outcome: 'refused',
        reasons: [error.message],
        warnings: [],
      };
    }
  }

  private async decideAll(works: readonly Work[], claims: Claims): Promise<void> {
    const users = works.flatMap(({ user }) => user ?? []);
    const known = await this.em.fork({ disableTransactions: true }).find(User, {
      $or: [
        { id: { $in: users.map(({ id }) => id) } },
        { email: { $in: users.flatMap(({ email }) => email ?? []) }, isSsoUser: false },
        { phone: { $in: users.flatMap(({ phone }) => phone ?? []) } },
      ],
    });
    for (const work of works) if (hasUser(work)) decide(work, known, claims);
  }

  /** Writes everything at once; if somebody takes an address meanwhile, one by one, so that only that one is refused. */
  private async saveAll(actor: Actor, works: readonly UserWork[]): Promise<void> {
    if (await this.save(actor, works)) return;
    for (const work of works) {
      if (await this.save(actor, [work])) continue;
      refuse(work, 'somebody took its id or an address of it while the import ran; run it again');
    }
  }

  /** False if it was all in vain because an id or an address is taken. */
  private async save(actor: Actor, works: readonly UserWork[]): Promise<boolean> {
    if (works.length === 0) return true;
    try {
      await this.em.fork().transactional(async (em) => {
        await this.insert(
          em,
          works.filter(({ outcome }) => outcome === 'created'),
        );
        for (const work of works.filter(({ outcome }) => outcome === 'updated')) await this.update(em, work);
        await this.audit.recordAll(em, actor, works.filter(isToBeWritten).map(toAuditEvent));
      });
      return true;
    } catch (error) {
      if (error instanceof UniqueConstraintViolationException) return false;
      throw error;
    }
  }

  private async insert(em: EntityManager, works: readonly UserWork[]): Promise<void> {
    if (works.length === 0) return;
    const now = this.clock.now();
    const aud = this.config.auth.jwt.audience;
    await em.insertMany(
      User,
      works.map(({ user: { warnings: _warnings, appMetadata, ...user } }) => ({
        ...user,
        aud,
        role: DEFAULT_ROLE,
        appMetadata: appMetadata ?? appMetadataOf(user),
        createdAt: user.createdAt ?? now,
        updatedAt: now,
      })),
    );
    await em.insertMany(
      Identity,
      works.flatMap(({ user }) => toIdentities(user, now)),
    );
  }

  /** Only as long as the account is as it was looked at. */
  private async update(em: EntityManager, work: UserWork): Promise<void> {
    const { user, target } = work;
    if (target === null) return;
    const where = { id: user.id, passwordHash: target.passwordHash ?? null };
    const count = await em.nativeUpdate(User, where, { ...changesOf(user, target), updatedAt: this.clock.now() });
    if (count === 0) work.outcome = 'unchanged';
  }
}

/** Decides without looking anywhere else, so that a dry run comes to the same decisions. */
function decide(work: UserWork, known: readonly UserRow[], claims: Claims): void {
  const { user, item } = work;
  const names = [`id ${user.id}`, `email ${user.email}`, `phone ${user.phone}`].filter((name) => !/ null$/.test(name));
  const holder = names.map((name) => claims.get(name)).find((file) => file !== undefined);
  if (holder !== undefined) return refuse(work, `its id or an address of it is that of ${holder} already`);
  for (const name of names) claims.set(name, item.file);
  const target = known.find(({ id }) => id === user.id);
  if (target === undefined) {
    const holder = known.find(({ email, phone }) => isSame(email, user.email) || isSame(phone, user.phone));
    if (holder === undefined) return;
    const address = isSame(holder.email, user.email) ? 'email address' : 'phone number';
    return refuse(work, `another account here has this ${address} (${holder.id})`);
  }
  work.target = target;
  work.outcome = Object.keys(changesOf(user, target)).length === 0 ? 'unchanged' : 'updated';
}

/**
 * Returns the fields to update in an account that exists: a password, unless somebody has used or set one here, and a
 * confirmation.
 */
function changesOf(user: ImportedUser, target: UserRow): Partial<UserRow> {
  if (target.deletedAt || target.isSsoUser) return {};
  const isUntouched = target.passwordHash == null || isImportedHash(target.passwordHash);
  const hasOtherPassword = user.passwordHash !== null && user.passwordHash !== target.passwordHash;
  const isNewlyConfirmed =
    user.emailConfirmedAt !== null && !target.emailConfirmedAt && isSame(target.email, user.email);
  return {
    ...(isUntouched && hasOtherPassword ? { passwordHash: user.passwordHash } : {}),
    ...(isNewlyConfirmed ? { emailConfirmedAt: user.emailConfirmedAt } : {}),
  };
}

function toWork({ name, values }: SourceRow): Work {
  const read = readImportedUser(values);
  const label = ['email', 'phone', 'id']
    .map((key) => values?.[key])
    .find((value) => typeof value === 'string' && value);
  const file = typeof label === 'string' ? `${name}: ${label.trim().slice(0, 255)}` : name;
  const base = { item: { file, slug: null, redirects: [], warnings: [] }, user: null, target: null };
  if ('refused' in read) return { ...base, outcome: 'refused', reasons: [read.refused] };
  if ('skipped' in read) return { ...base, outcome: 'skipped', reasons: [read.skipped] };
  const item = { file, slug: null, redirects: [], warnings: read.warnings };
  return { item, user: read, target: null, outcome: 'created', reasons: [] };
}

function refuse(work: Work, reason: string): void {
  work.outcome = 'refused';
  work.reasons = [reason];
}

function hasUser(work: Work): work is UserWork {
  return work.user !== null;
}

function isToBeWritten(work: Work): work is UserWork {
  return hasUser(work) && (work.outcome === 'created' || work.outcome === 'updated');
}

function isSame(here: string | null | undefined, there: string | null): boolean {
  return there !== null && here === there;
}

/** Returns identities as sign-up creates them, one for each address. */
function toIdentities(user: ImportedUser, now: Date) {
  const { id, email, emailConfirmedAt, phoneConfirmedAt, lastSignInAt } = user;
  const verified = { email: emailConfirmedAt !== null, phone: phoneConfirmedAt !== null };
  const identityData = identityFacts(id, user, verified);
  return providersOf(user).map((provider) => ({
    id: randomUUID(),
    userId: id,
    provider,
    providerId: id,
    identityData,
    email: provider === 'email' ? email : null,
    lastSignInAt,
    createdAt: user.createdAt ?? now,
    updatedAt: now,
  }));
}

function toAuditEvent({ user, outcome }: UserWork) {
  const { id, email, phone } = user;
  const subject = email ?? phone ?? id;
  return { action: 'user.imported', subjectType: 'user', subjectId: id, subject, details: { outcome } } as const;
}

async function* inBatches(rows: AsyncIterable<SourceRow>): AsyncGenerator<SourceRow[]> {
  let batch: SourceRow[] = [];
  try {
    for await (const row of rows) {
      batch.push(row);
      if (batch.length < BATCH_SIZE) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    if (!(error instanceof UserSourceError)) throw error;
    // The rows before are good.
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}
