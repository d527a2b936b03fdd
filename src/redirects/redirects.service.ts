import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { CONFIG, type Config } from '../config/config.js';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { ContentNotifier } from '../database/content-notifier.js';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import type {
  KeptRedirect,
  RedirectFormat,
  RedirectImportItem,
  RedirectImportReport,
  RedirectInput,
  RedirectOrigin,
  RedirectResult,
  Redirect as RedirectRecord,
} from '../shared/contracts/redirects.js';
import { paths } from '../shared/paths.js';
import { AddressRefusedError, pathOfTarget, toPath, toPresentTarget } from './redirect-address.js';
import { decideRedirects } from './redirect-decision.js';
import { formatOfName, readRedirects, writeRedirects, type FileEntry } from './redirect-files.js';
import { isPattern, Patterns, PATTERNS, START, startsOf } from './redirect-patterns.js';
import { Redirect } from './redirect.entity.js';

/**
 * Paths at which blogs of other systems have their feed, and people and programs look for one. A redirect that was recorded
 * comes before.
 */
const usualFeeds: ReadonlySet<string> = new Set([
  ...[
    '/feed',
    '/feed/rss',
    '/feed/rss2',
    '/feed/atom',
    '/rss',
    '/feed.xml',
    '/atom.xml',
    '/index.xml',
    '/rss/feed.xml',
  ],
  ...['/feed/feed.xml', '/blog/feed', '/blog/rss.xml', '/blog/feed.xml', '/blog/index.xml', '/blogs/rss.xml'],
]);

/** The target of a redirect. */
export interface FoundRedirect {
  readonly target: string;
  /** The path that the target begins with; null when it leads to another site. */
  readonly path: string | null;
  /** The writer of the redirect; what was recorded with a post or a term is there for that alone. */
  readonly by: 'operator' | 'pattern' | 'content';
  /**
   * The pattern for the address, which counts while its own redirect leads to nothing that readers see. Otherwise the answer
   * would tell that something hidden was there.
   */
  readonly otherwise?: FoundRedirect;
}

/** A file of redirects. */
export interface RedirectFile {
  readonly text: string;
  readonly name: string;
  /** Undefined to detect it by the file's name and content. */
  readonly format?: RedirectFormat | undefined;
}

/** The paths whose redirects were removed, and those that had none. */
export interface RemovedRedirects {
  readonly removed: readonly string[];
  readonly unknown: readonly string[];
}

/** The outcome for a former address of an imported post; what was recorded is null where nothing was. */
export type KeepResult = RedirectResult & { readonly kept: KeptRedirect | null };

/** How to record redirects. */
export interface SaveOptions {
  /** Only predicts the outcomes. */
  readonly isDryRun?: boolean;
}

/** Old addresses and where they lead. */
@Injectable()
export class RedirectsService {
  constructor(
    private readonly em: EntityManager,
    private readonly notifier: ContentNotifier,
    private readonly audit: AuditService,
    private readonly roles: RolesService,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Records the former addresses of imported posts, in the transaction of `em`. A second run changes nothing, and
   * redirects of an operator are left alone.
   * @returns the outcome for each, in the same order; none of them makes the import fail
   */
  async keep(em: EntityManager, items: readonly RedirectInput[]): Promise<KeepResult[]> {
    if (items.length === 0) return [];
    await this.lock(em);
    const before = await readByPath(
      em,
      items.flatMap(({ path }) => toPathOrNull(path) ?? []),
    );
    const results = await this.record(em, 'import', items);
    return results.map((result) => {
      if (!isWritten(result)) return { ...result, kept: null };
      const { path, target } = result;
      return { ...result, kept: { path, target, former: before.get(path) ?? null } };
    });
  }

  /**
   * Takes back what {@link keep} recorded, in the transaction of `em`: redirects become what they were, or go. Those that
   * were changed or removed since are left alone.
   * @returns the paths that lead elsewhere now, and so stay
   */
  async takeBack(em: EntityManager, kept: readonly KeptRedirect[]): Promise<string[]> {
    if (kept.length === 0) return [];
    await this.lock(em);
    const current = await readByPath(
      em,
      kept.map(({ path }) => path),
    );
    const isOurs = ({ path, target }: KeptRedirect) =>
      current.get(path)?.target === target && current.get(path)?.origin === 'import';
    const ours = kept.filter(isOurs);
    const rows = ours.flatMap(({ path, former }) => (former === null ? [] : [{ path, ...former }]));
    const gone = ours.flatMap(({ path, former }) => (former === null ? [path] : []));
    await em.execute(
      `update redirects set target = line.target, origin = line.origin
       from jsonb_to_recordset(?::jsonb) as line (path text, target text, origin text) where redirects.path = line.path`,
      [JSON.stringify(rows)],
    );
    await em.execute('delete from redirects where path in (select jsonb_array_elements_text(?::jsonb))', [
      JSON.stringify(gone),
    ]);
    if (ours.length > 0) await this.notifier.notifyChanged(em);
    return kept.filter((redirect) => current.has(redirect.path) && !isOurs(redirect)).map(({ path }) => path);
  }

  /**
   * Lets the address of something that got another name lead to the new one, in the transaction of `em`. What was recorded
   * for the new address by an earlier name goes: there is a page now. Redirects of an operator are left alone.
   */
  async follow(em: EntityManager, { path, target }: RedirectInput): Promise<void> {
    // Before any row is: whoever has the lock may wait for that row.
    await this.lock(em);
    await em.execute(`delete from redirects where path = ? and origin = 'rename'`, [toPathOrNull(target)]);
    await this.record(em, 'rename', [{ path, target }]);
  }

  /** The one spelling in which a path is recorded, and led to; a path that cannot be is as it was written. */
  spell(path: string): string {
    return toPathOrNull(path) ?? path;
  }

  /** Predicts the answer of {@link keep}. */
  async predict(items: readonly RedirectInput[]): Promise<RedirectResult[]> {
    return await this.decide(this.reader(), 'import', items);
  }

  /**
   * Returns the target of a path's redirect, even if there is a page at the path; null without a redirect. One of the path
   * itself comes before patterns.
   */
  async find(address: string): Promise<FoundRedirect | null> {
    return (await this.findAll(this.reader(), [address])).get(address) ?? null;
  }

  /** The targets of the redirects of these paths, by path as it was asked; none for a path without a redirect. */
  async findAll(em: EntityManager, addresses: readonly string[]): Promise<Map<string, FoundRedirect>> {
    const asked = addresses.map((address) => ({ address, path: toPathOrNull(address) }));
    const wanted = asked.flatMap(({ path }) => path ?? []);
    if (wanted.length === 0) return new Map();
    // Of thousands of patterns, few are about an address: an address that is not there is asked for again and again.
    const rows = await em.execute<(RedirectInput & { origin: RedirectOrigin; is_pattern: boolean })[]>(
      `select path, target, origin, false as is_pattern from redirects
       where path in (select jsonb_array_elements_text(?::jsonb))
       union all
       select path, target, origin, true from redirects where ${PATTERNS}
       and ${START} in (select jsonb_array_elements_text(?::jsonb))`,
      [JSON.stringify(wanted), JSON.stringify(wanted.flatMap(startsOf))],
    );
    const siteUrl = this.config.server.publicUrl;
    const present = rows.map((row) => ({ ...row, target: toPresentTarget(row.target, siteUrl) }));
    // One that leads to itself by now says nothing; patterns leave out such addresses themselves.
    const fixed = present.filter((row) => !row.is_pattern && pathOfTarget(row.target) !== row.path);
    const exact = new Map(fixed.map((row) => [row.path, row]));
    const patterns = new Patterns(present.filter((row) => row.is_pattern));
    const find = (path: string): FoundRedirect | null => {
      const found = exact.get(path);
      const pattern = patterns.find(path);
      const otherwise = pattern === null ? null : toFound(pattern.target, 'pattern');
      if (found === undefined) return usualTarget(path) ?? otherwise;
      const by = found.origin === 'operator' ? 'operator' : 'content';
      return { ...toFound(found.target, by), ...(otherwise && { otherwise }) };
    };
    return new Map(
      asked.flatMap(({ address, path }) => {
        const found = path === null ? null : find(path);
        return found === null ? [] : [[address, found] as const];
      }),
    );
  }

  /**
   * The paths that lead to these paths of the site, by target as it was asked, in the transaction of `em`. Patterns are none:
   * whoever takes what a post was called before for addresses would take them for one.
   */
  async findSources(em: EntityManager, targets: readonly string[]): Promise<Map<string, string[]>> {
    const rows = await em.execute<{ path: string; target: string }[]>(
      `select path, target from redirects
       where target in (select jsonb_array_elements_text(?::jsonb)) and not (${PATTERNS}) order by path`,
      [JSON.stringify(targets.map((target) => this.spell(target)))],
    );
    const found = Map.groupBy(rows, ({ target }) => target);
    return new Map(
      targets.flatMap((target) => {
        const leading = found.get(this.spell(target));
        return leading === undefined ? [] : [[target, leading.map(({ path }) => path)] as const];
      }),
    );
  }

  /** Every redirect, by its path. For administrators. */
  async list(actor: Actor): Promise<RedirectRecord[]> {
    await this.roles.requireAdmin(actor);
    const rows = await this.reader().find(Redirect, {}, { orderBy: { path: 'asc' } });
    return rows.map(({ path, target, origin, createdAt }) => ({
      path,
      target,
      origin,
      created_at: createdAt.toISOString(),
    }));
  }

  /** Every redirect of one address, by its path: where a pattern leads depends on what is asked. For administrators. */
  async listFixed(actor: Actor): Promise<RedirectRecord[]> {
    return (await this.list(actor)).filter(({ path, origin }) => origin !== 'operator' || !isPattern(path));
  }

  /** Records redirects without those that are refused; they replace recorded ones. For administrators. */
  async save(
    actor: Actor,
    items: readonly RedirectInput[],
    { isDryRun = false }: SaveOptions = {},
  ): Promise<RedirectResult[]> {
    await this.roles.requireAdmin(actor);
    if (isDryRun) return await this.decide(this.reader(), 'operator', items);
    return await this.em.fork().transactional(async (em) => {
      const results = await this.record(em, 'operator', items);
      await this.audit.recordAll(em, actor, results.filter(isWritten).map(toAuditEvent));
      return results;
    });
  }

  /**
   * Records the redirects of a file, as {@link save} does.
   * @param file text and name of the file
   * @throws RedirectFileError when nothing in it can be read
   */
  async import(actor: Actor, file: RedirectFile, options: SaveOptions = {}): Promise<RedirectImportReport> {
    const entries = readRedirects(file.text, file.name, file.format);
    const results = await this.save(
      actor,
      entries.flatMap(({ redirect }) => redirect ?? []),
      options,
    );
    const saved = results.values();
    const items = entries.flatMap((entry): RedirectImportItem[] => {
      if (entry.redirect === null) return [toRefusedItem(entry)];
      const { value } = saved.next();
      return value === undefined ? [] : [{ place: entry.place, ...value }];
    });
    return { isDryRun: options.isDryRun === true, items };
  }

  /**
   * Writes every redirect as the text of a file, whose import would change nothing. For administrators.
   * @param format that of the name of the file if left out, else CSV
   */
  async export(actor: Actor, format?: RedirectFormat, name = ''): Promise<string> {
    return writeRedirects(await this.list(actor), format ?? formatOfName(name) ?? 'csv');
  }

  /** Removes redirects, and says of which paths there was none. For administrators. */
  async remove(actor: Actor, addresses: readonly string[]): Promise<RemovedRedirects> {
    await this.roles.requireAdmin(actor);
    const wanted = addresses.map((address) => ({ address, path: toPathOrNull(address) }));
    return await this.em.fork().transactional(async (em) => {
      const rows = await em.find(Redirect, { path: { $in: wanted.flatMap(({ path }) => path ?? []) } });
      const removed = new Set(rows.map(({ path }) => path));
      if (rows.length > 0) {
        const events = rows.map(({ path, target }) => toAuditEvent({ path, target, outcome: 'removed' }));
        await this.audit.recordAll(em, actor, events);
        await em.remove(rows).flush();
        await this.notifier.notifyChanged(em);
      }
      const unknown = wanted.filter(({ path }) => path === null || !removed.has(path));
      return { removed: [...removed], unknown: unknown.map(({ address }) => address) };
    });
  }

  private async record(em: EntityManager, origin: RedirectOrigin, items: readonly RedirectInput[]) {
    if (items.length === 0) return [];
    await this.lock(em);
    const results = await this.decide(em, origin, items);
    const rows = results.filter(isWritten).map(({ path, target }) => ({ path, target }));
    if (rows.length === 0) return results;
    await em.execute(
      `insert into redirects (path, target, origin, created_at)
       select path, target, ?::text, ?::timestamptz from jsonb_to_recordset(?::jsonb) as line (path text, target text)
       on conflict (path) do update set target = excluded.target, origin = excluded.origin`,
      [origin, this.clock.now().toISOString(), JSON.stringify(rows)],
    );
    // Pages and redirects are kept rendered.
    await this.notifier.notifyChanged(em);
    return results;
  }

  /** One writer at a time, so that no two redirects lead to each other. */
  private async lock(em: EntityManager): Promise<void> {
    await em.execute('select pg_advisory_xact_lock(?)', [ADVISORY_LOCKS.redirects]);
  }

  private decide(em: EntityManager, origin: RedirectOrigin, items: readonly RedirectInput[]) {
    return decideRedirects(em, items, { origin, siteUrl: this.config.server.publicUrl });
  }

  private reader(): EntityManager {
    return this.em.fork({ disableTransactions: true });
  }
}

function toFound(target: string, by: FoundRedirect['by']): FoundRedirect {
  return { target, path: pathOfTarget(target), by };
}

function usualTarget(path: string): FoundRedirect | null {
  return usualFeeds.has(path) ? toFound(paths.rss, 'operator') : null;
}

async function readByPath(em: EntityManager, paths: readonly string[]) {
  const rows = await em.execute<{ path: string; target: string; origin: RedirectOrigin }[]>(
    'select path, target, origin from redirects where path in (select jsonb_array_elements_text(?::jsonb))',
    [JSON.stringify(paths)],
  );
  return new Map(rows.map(({ path, target, origin }) => [path, { target, origin }]));
}

function isWritten({ outcome }: RedirectResult): boolean {
  return outcome === 'created' || outcome === 'changed';
}

function toRefusedItem({ place, problem, text }: FileEntry & { readonly redirect: null }): RedirectImportItem {
  return { place, path: text, target: '', outcome: 'refused', reason: problem };
}

function toPathOrNull(address: string): string | null {
  try {
    return toPath(address);
  } catch (error) {
    if (error instanceof AddressRefusedError) return null;
    throw error;
  }
}

function toAuditEvent({ path, target, outcome }: Pick<RedirectResult, 'path' | 'target'> & { outcome: string }) {
  // Paths are longer than what the log knows things by; the whole one is its name.
  const subjectId = path.slice(0, 100);
  return {
    action: `redirect.${outcome}`,
    subjectType: 'redirect',
    subjectId,
    subject: path,
    details: { target },
  } as const;
}
