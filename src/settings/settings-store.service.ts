import { isDeepStrictEqual } from 'node:util';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { twiceIfRaced } from '../database/twice-if-raced.js';
import { SETTINGS_CHANNEL } from '../site/site.service.js';
import { userIdOf, type Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import type { AuditEntry } from '../shared/contracts/audit.js';
import type { SettingsContent } from './settings-document.entity.js';

/** Published contents that are kept of each document. */
const KEPT_VERSIONS = 100;

/** A document as it is stored. */
export interface StoredDocument {
  readonly revision: number;
  readonly version: number;
  readonly content: SettingsContent;
  readonly draft: SettingsContent | null;
}

/** A document that nobody has written yet. */
const NEW: StoredDocument = { revision: 0, version: 0, content: {}, draft: null };

/** A document, and who changed it last. */
export interface ReadDocument extends StoredDocument {
  /** Null where nobody has. */
  readonly changedAt: Date | null;
  readonly changedByKind: AuditEntry['actor_kind'] | null;
  /** Email address of an account that is there still. */
  readonly changedBy: string | null;
}

/** A content that was published. */
export interface StoredVersion {
  readonly version: number;
  readonly content: SettingsContent;
  readonly publishedAt: Date;
  readonly publishedByKind: AuditEntry['actor_kind'];
  readonly publishedBy: string | null;
}

interface VersionsWanted {
  readonly limit: number;
  /** Only older ones than this. */
  readonly before?: number | undefined;
  /** The manager of the transaction that changes the document. */
  readonly em?: EntityManager;
}

/** The next state of a document. */
export type DocumentChange = Pick<StoredDocument, 'content' | 'draft'>;

/** Decides on the next state in the transaction of `em`; null leaves the document alone. */
export type Decide = (stored: StoredDocument, em: EntityManager) => Promise<DocumentChange | null>;

/** Writes documents: one writer at a time for each, in one transaction with whatever belongs to the change. */
@Injectable()
export class SettingsStoreService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Changes a document. If its content becomes another one, that is a new version, of which all processes hear when the
   * transaction commits.
   * @param decide the next state, or null to leave the document alone; it runs in the transaction and may throw
   * @param within the transaction of a caller that changes more in it; one of its own without it
   * @returns the document as it is afterwards
   */
  async change(actor: Actor, name: string, decide: Decide, within?: EntityManager): Promise<StoredDocument> {
    if (within !== undefined) return await this.changeWithin(within, actor, name, decide);
    return await twiceIfRaced(() => this.em.fork().transactional((em) => this.changeWithin(em, actor, name, decide)));
  }

  /** Changes a document as {@link change} does, in the transaction of `em`. */
  async changeWithin(em: EntityManager, actor: Actor, name: string, decide: Decide): Promise<StoredDocument> {
    const stored = await this.lock(em, name);
    const next = await decide(stored, em);
    if (next === null) return stored;
    const isPublication = !isSame(stored.content, next.content);
    const changed = {
      ...next,
      draft: next.draft !== null && Object.keys(next.draft).length > 0 ? next.draft : null,
      revision: stored.revision + 1,
      version: stored.version + (isPublication ? 1 : 0),
    };
    await this.write(em, actor, name, changed);
    if (isPublication) await this.publish(em, actor, name, changed);
    return changed;
  }

  /**
   * Reads a document.
   * @param em of the transaction that changes it
   */
  async read(name: string, em: EntityManager = this.em.fork({ disableTransactions: true })): Promise<ReadDocument> {
    const [row] = await em.execute<
      (StoredDocument & { at: Date | string; kind: AuditEntry['actor_kind']; by: string | null })[]
    >(
      `select revision, version, content, draft, changed_at as at, changed_by_kind as kind, email as by
       from settings_documents left join auth.users on id = changed_by where name = ?`,
      [name],
    );
    // A row that was made to be locked says nothing of anybody.
    if (row === undefined || row.revision === 0)
      return { ...NEW, changedAt: null, changedByKind: null, changedBy: null };
    const { at, kind, by, ...stored } = row;
    return { ...stored, changedAt: new Date(at), changedByKind: kind, changedBy: by };
  }

  /** Reads the latest kept versions of a document, newest first. */
  async listVersions(
    name: string,
    { limit, before = 2 ** 31 - 1, em = this.em.fork({ disableTransactions: true }) }: VersionsWanted,
  ): Promise<StoredVersion[]> {
    const rows = await em.execute<(Omit<StoredVersion, 'publishedAt'> & { publishedAt: Date | string })[]>(
      `select version, content, published_at as "publishedAt", published_by_kind as "publishedByKind",
           email as "publishedBy"
         from settings_versions left join auth.users on id = published_by
         where document = ? and version < ? order by version desc limit ?`,
      [name, before, limit],
    );
    return rows.map((row) => ({ ...row, publishedAt: new Date(row.publishedAt) }));
  }

  /** Waits for others who write the same document, also for those who write its first state. */
  private async lock(em: EntityManager, name: string): Promise<StoredDocument> {
    await em.execute(
      `insert into settings_documents (name, revision, content, version, changed_at, changed_by_kind)
       values (?, 0, '{}', 0, ?, 'system') on conflict (name) do nothing`,
      [name, this.clock.now()],
    );
    const [row] = await em.execute<StoredDocument[]>(
      'select revision, version, content, draft from settings_documents where name = ? for update',
      [name],
    );
    return row ?? NEW;
  }

  private async write(em: EntityManager, actor: Actor, name: string, changed: StoredDocument): Promise<void> {
    const { revision, version, content, draft } = changed;
    await em.execute(
      `update settings_documents set revision = ?, version = ?, content = ?::jsonb, draft = ?::jsonb, changed_at = ?,
         changed_by_kind = ?, changed_by = ?::uuid where name = ?`,
      [
        ...[revision, version, JSON.stringify(content), draft === null ? null : JSON.stringify(draft)],
        ...[this.clock.now(), actor.kind, userIdOf(actor), name],
      ],
    );
  }

  private async publish(em: EntityManager, actor: Actor, name: string, changed: StoredDocument): Promise<void> {
    const { version, content } = changed;
    await em.execute(
      `insert into settings_versions (document, version, content, published_at, published_by_kind, published_by)
       values (?, ?, ?::jsonb, ?, ?, ?::uuid)`,
      [name, version, JSON.stringify(content), this.clock.now(), actor.kind, userIdOf(actor)],
    );
    await em.execute('delete from settings_versions where document = ? and version <= ?', [
      name,
      version - KEPT_VERSIONS,
    ]);
    await em.execute(`select pg_notify('${SETTINGS_CHANNEL}', ?)`, [name]);
  }
}

/** Returns true if two contents hold the same values, in whatever order PostgreSQL gives their names. */
function isSame(one: SettingsContent, other: SettingsContent): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every(
    (name) => Object.hasOwn(one, name) === Object.hasOwn(other, name) && isDeepStrictEqual(one[name], other[name]),
  );
}
