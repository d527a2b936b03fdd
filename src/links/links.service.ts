import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { toOwnAddresses } from '../posts/post.presenter.js';
import { RedirectsService } from '../redirects/redirects.service.js';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import type { LinkCheckResult } from '../shared/contracts/link-check.js';
import {
  DEAD_LINK_POSTS,
  type DeadLinkPage,
  type LinkPlace,
  type PostWithDeadLinks,
  type UnusedRedirect,
} from '../shared/contracts/links.js';
import { hasAnchor } from '../shared/heading-anchors.js';
import type { LinkState } from '../shared/link-state.js';
import {
  findLinks,
  isOnSamePage,
  linkingFields,
  toSitePath,
  toSitePlace,
  type LinkingTexts,
  type PostLink,
} from './found-links.js';
import { findStates, findTargets, type LinkTarget, type TargetSources } from './link-targets.js';
import { OuterLinks, type OuterOptions } from './outer-links.js';
import { PostAnchors } from './post-anchors.js';

/** Raise it with every change of what is found in a post: all of them are read anew then. */
const RULES = 2;
/** Posts whose texts are read, and whose links are followed, in one transaction. */
const READ_AT_ONCE = 50;
const FOLLOWED_AT_ONCE = 200;
/** Before all ids of posts. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Changed posts that a visitor of the list waits for; the server sees to the others. */
const BATCHES_FOR_VISITORS = 2;

/** A post that was written since its links were read. */
interface ChangedPost {
  readonly id: string;
  readonly version: number;
  /** The text that readers see, or will at the time that was planned. */
  readonly texts: LinkingTexts | null;
  readonly edits: LinkingTexts | null;
  /** As they were found last. */
  readonly links: readonly PostLink[] | null;
}

interface KeptLinks {
  readonly id: string;
  readonly links: readonly PostLink[];
}

/** The places of the texts of a post; null for a text that is not there, or whose links name none. */
type OwnAnchors = Readonly<Record<LinkPlace, ReadonlySet<string> | null>>;

/** A post whose links are followed. */
interface FollowedPost extends KeptLinks {
  /** Absent while the post is as it was. */
  readonly anchors?: OwnAnchors;
}

/** A post with the number of all that have dead links. */
interface DeadRow extends Omit<PostWithDeadLinks, 'links'> {
  readonly links: readonly PostLink[];
  readonly total: number;
}

const textsOfPost = `jsonb_build_object(${linkingFields.map((name) => `'${name}', ${name}`).join()})`;

const CHANGED = `
  select p.id, p.version, l.links,
    case when is_published or scheduled_at is not null then ${textsOfPost} end as texts,
    working_copy->'fields' as edits
  from blog_posts p left join post_links l on l.post_id = p.id
  where p.id > ? and deleted_at is null and (l.version is distinct from p.version or l.rules is distinct from ${RULES})
  order by p.id limit ${READ_AT_ONCE}`;

// The post may be gone by now; one that is there stays until this is written.
const KEEP = `
  insert into post_links (post_id, version, rules, links, dead, checked_at)
  select id, ?, ${RULES}, ?::jsonb, ?, now() from blog_posts where id = ? for key share
  on conflict (post_id) do update set version = excluded.version, rules = excluded.rules, links = excluded.links,
    dead = excluded.dead, checked_at = excluded.checked_at`;

const DEAD = `
  select p.id, slug, title, is_published, links, count(*) over ()::int as total
  from post_links l join blog_posts p on p.id = l.post_id
  where dead > 0 and deleted_at is null
  order by is_published desc, updated_at desc, p.id limit ${DEAD_LINK_POSTS} offset ?`;

/** Knows what posts link to, and which of it is dead. */
@Injectable()
export class LinksService {
  private readonly siteUrl: string;
  private readonly anchors: PostAnchors;
  private readonly sources: TargetSources;

  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
    private readonly redirects: RedirectsService,
    @Inject(CONFIG) config: Config,
  ) {
    this.siteUrl = config.server.publicUrl;
    this.anchors = new PostAnchors(toOwnAddresses(config));
    this.sources = {
      timeZone: config.site.timeZone,
      findRedirects: (em, paths) => redirects.findAll(em, paths),
      anchors: this.anchors,
    };
  }

  /** Finds where paths of this site lead, for the editor. Authors hear nothing of drafts of others. */
  async check(actor: Actor, asked: readonly string[]): Promise<LinkCheckResult> {
    const { ownerId } = await this.roles.requireAuthor(actor);
    const sources = { ...this.sources, ownerId };
    const states = await findStates(this.em.fork({ disableTransactions: true }), asked, sources);
    return { links: [...new Set(asked)].map((path) => ({ path, state: states.get(path) ?? 'found' })) };
  }

  /** A part of the posts with dead links, published ones first; what was saved just now counts. For administrators. */
  async listDead(actor: Actor, page: number): Promise<DeadLinkPage> {
    await this.roles.requireAdmin(actor);
    await this.readSomeChanged();
    return await this.readDead(page);
  }

  /**
   * Counts dead links by the id of the post, for a list of posts; what was saved just now counts. Authors are told of their own posts.
   * Drafts have none, and what was not looked at yet is left out.
   */
  async countDead(actor: Actor, ids: readonly string[]): Promise<Map<string, number>> {
    const { ownerId } = await this.roles.requireAuthor(actor);
    await this.readSomeChanged();
    const rows = await this.em.fork({ disableTransactions: true }).execute<{ id: string; dead: number }[]>(
      `select p.id, dead from post_links l join blog_posts p on p.id = l.post_id
       where p.id in (select jsonb_array_elements_text(?::jsonb)::uuid) and deleted_at is null and (?::uuid is null or owner_id = ?::uuid)`,
      [JSON.stringify(ids), ownerId, ownerId],
    );
    return new Map(rows.map(({ id, dead }) => [id, dead]));
  }

  /** Reads as many changed posts as a person waits for. */
  private async readSomeChanged(): Promise<void> {
    let after: string | null = FIRST_ID;
    for (let batch = 0; batch < BATCHES_FOR_VISITORS && after !== null; batch += 1) {
      after = await this.readChanged(after, false);
    }
  }

  /**
   * Reads posts that were written since their links were read, and follows these; a post that is written meanwhile is
   * read again the next time.
   * @param after the id after which to go on: each batch would look through all posts before it otherwise
   * @param isWaiting false to leave it to another process that does the same, instead of waiting for it
   * @returns the id after which there may be more to do, or null
   */
  private async readChanged(after: string, isWaiting = true): Promise<string | null> {
    let last: string | undefined;
    const isFull = await this.exclusively(isWaiting, async (em) => {
      const posts = await em.execute<ChangedPost[]>(CHANGED, [after]);
      last = posts.at(-1)?.id;
      const found: FollowedPost[] = [];
      for (const post of posts) found.push({ id: post.id, links: linksOf(post), anchors: await this.anchorsOf(post) });
      const followed = await this.follow(em, found);
      for (const [index, { id, version }] of posts.entries()) {
        const links = followed[index] ?? [];
        await em.execute(KEEP, [version, JSON.stringify(links), countDead(links), id]);
      }
      return posts.length === READ_AT_ONCE;
    });
    return isFull ? (last ?? null) : null;
  }

  /** Reads all posts that were written since their links were read, as long as it is wanted. */
  async readAllChanged(isWanted: () => boolean = () => true): Promise<void> {
    for (let after: string | null = FIRST_ID; after !== null && isWanted();) after = await this.readChanged(after);
  }

  /**
   * Follows links again that were followed longer ago, because pages come and go.
   * @param since when something changed, by the clock of the database
   * @returns true if there may be more to do
   */
  async followAgain(since: Date): Promise<boolean> {
    return await this.exclusively(true, async (em) => {
      const rows = await em.execute<FollowedPost[]>(
        `select post_id as id, links from post_links where checked_at < ? order by post_id limit ${FOLLOWED_AT_ONCE}`,
        [since],
      );
      await this.keepStates(em, rows, await this.follow(em, rows));
      return rows.length === FOLLOWED_AT_ONCE;
    });
  }

  /** Returns the time of the database some milliseconds ago. */
  async timeBefore(milliseconds: number): Promise<Date> {
    const em = this.em.fork({ disableTransactions: true });
    const [row] = await em.execute<{ time: string }[]>(`select now() - ? * interval '1 ms' as time`, [milliseconds]);
    return new Date(row?.time ?? 0);
  }

  /**
   * Looks at all links anew, and tells of each post with dead ones.
   * @param outer absent to ask no other site
   */
  async checkAll(
    actor: Actor,
    handlePost: (post: PostWithDeadLinks) => void,
    outer?: OuterOptions,
  ): Promise<{ readonly posts: number }> {
    await this.roles.requireAdmin(actor);
    const begun = await this.timeBefore(0);
    await this.readAllChanged();
    while (await this.followAgain(begun));
    if (outer) await this.askOthers(outer);
    for (let page = 1; ; page += 1) {
      const { items } = await this.readDead(page);
      items.forEach(handlePost);
      if (items.length < DEAD_LINK_POSTS) break;
    }
    const [row] = await this.em.fork().execute<{ posts: number }[]>('select count(*)::int as posts from post_links');
    return { posts: row?.posts ?? 0 };
  }

  /** Finds redirects whose target within this site is no page that readers see, so that nobody can use them. For administrators. */
  async findUnused(actor: Actor): Promise<UnusedRedirect[]> {
    const redirects = (await this.redirects.listFixed(actor)).map(({ path, target }) => ({ path, target }));
    const pathOf = ({ target }: UnusedRedirect) => toSitePath(target, this.siteUrl);
    const asked = redirects.flatMap((redirect) => pathOf(redirect) ?? []);
    const states = await findStates(this.em.fork({ disableTransactions: true }), asked, this.sources);
    return redirects.filter((redirect) => (states.get(pathOf(redirect) ?? '') ?? 'found') !== 'found');
  }

  /** Asks other sites; no transaction waits for them. */
  private async askOthers(options: OuterOptions): Promise<void> {
    const others = new OuterLinks(options);
    let last = FIRST_ID;
    for (;;) {
      const rows = await this.em
        .fork()
        .execute<KeptLinks[]>(
          `select post_id as id, links from post_links where post_id > ? order by post_id limit ${FOLLOWED_AT_ONCE}`,
          [last],
        );
      const addresses = rows.flatMap(({ links }) => links.flatMap((link) => this.outerOf(link) ?? []));
      const reasons = await others.ask(addresses);
      await this.em.fork().transactional(async (em) => {
        // As they are now: a post may have been written meanwhile.
        const ids = JSON.stringify(rows.map(({ id }) => id));
        const now = await em.execute<KeptLinks[]>(
          `select post_id as id, links from post_links
           where post_id in (select jsonb_array_elements_text(?::jsonb)::uuid) order by post_id for update`,
          [ids],
        );
        const told = now.map(({ links }) =>
          links.map((link) => withReason(link, reasons.get(this.outerOf(link) ?? ''))),
        );
        await this.keepStates(em, now, told, false);
      });
      last = rows.at(-1)?.id ?? last;
      if (rows.length < FOLLOWED_AT_ONCE) return;
    }
  }

  private outerOf({ address }: PostLink): string | null {
    if (isOnSamePage(address) || toSitePath(address, this.siteUrl) !== null) return null;
    const url = new URL(address, this.siteUrl);
    url.hash = '';
    return url.href;
  }

  /** The places that each text of a changed post has, if one of its links names one. */
  private async anchorsOf({ texts, edits }: ChangedPost): Promise<OwnAnchors> {
    const ofText = async (fields: LinkingTexts | null) => {
      const content = fields?.['content'] ?? '';
      return content.includes('#') ? await this.anchors.ofText(content) : null;
    };
    return { post: await ofText(texts), edits: await ofText(edits) };
  }

  /** The links of posts with what is wrong with those within the site. What other sites answered stays. */
  private async follow(em: EntityManager, posts: readonly FollowedPost[]): Promise<PostLink[][]> {
    const placeOf = ({ address }: PostLink) => toSitePlace(address, this.siteUrl);
    const asked = posts.flatMap(({ links }) => links.flatMap((link) => placeOf(link) ?? []));
    const targets = await findTargets(em, new Set(asked), this.sources);
    return posts.map((post) =>
      post.links.map((link) => {
        if (isOnSamePage(link.address)) return withState(link, stateWithin(post, link, link.address));
        const place = placeOf(link);
        if (place === null) return link;
        const target = targets.get(place);
        return withState(link, target === undefined ? 'found' : stateOf(post, link, target));
      }),
    );
  }

  private async keepStates(
    em: EntityManager,
    rows: readonly KeptLinks[],
    links: readonly (readonly PostLink[])[],
    isFollowed = true,
  ): Promise<void> {
    const lines = rows.map(({ id }, index) => ({ id, links: links[index], dead: countDead(links[index] ?? []) }));
    await em.execute(
      `update post_links l set links = line.links, dead = line.dead ${isFollowed ? ', checked_at = now()' : ''}
       from jsonb_to_recordset(?::jsonb) as line (id uuid, links jsonb, dead int) where l.post_id = line.id`,
      [JSON.stringify(lines)],
    );
  }

  private async readDead(page: number): Promise<DeadLinkPage> {
    const em = this.em.fork({ disableTransactions: true });
    const rows = await em.execute<DeadRow[]>(DEAD, [(page - 1) * DEAD_LINK_POSTS]);
    return { items: rows.map(toPost), total: rows[0]?.total ?? 0 };
  }

  /** One process at a time, for the length of a transaction. @returns false when another one is at it */
  private async exclusively(isWaiting: boolean, task: (em: EntityManager) => Promise<boolean>): Promise<boolean> {
    return await this.em.fork().transactional(async (em) => {
      if (isWaiting) await em.execute('select pg_advisory_xact_lock(?)', [ADVISORY_LOCKS.links]);
      else {
        const sql = 'select pg_try_advisory_xact_lock(?) as held';
        const [lock] = await em.execute<{ held: boolean }[]>(sql, [ADVISORY_LOCKS.links]);
        if (!lock?.held) return false;
      }
      return await task(em);
    });
  }
}

/** Judges a link by its target. A link of a text to its own post is judged by that text: edits may have other headings. */
function stateOf(post: FollowedPost, link: PostLink, { state, postId, hash }: LinkTarget): LinkState {
  const isOwn = postId === post.id && (state === 'found' || state === 'no-anchor');
  return isOwn && hash !== '' ? stateWithin(post, link, hash) : state;
}

/** Without a change of the post, its own places are as they were. */
function stateWithin({ anchors }: FollowedPost, { place, state }: PostLink, hash: string): LinkState {
  if (anchors === undefined) return state === 'no-anchor' ? state : 'found';
  return hasAnchor(anchors[place] ?? new Set(), hash) ? 'found' : 'no-anchor';
}

/** The links of a changed post; what other sites answered is not asked again because a post was saved. */
function linksOf({ texts, edits, links: before }: ChangedPost): PostLink[] {
  const answers = new Map(
    before?.filter(({ reason }) => reason !== undefined).map((link) => [link.address, link.reason]),
  );
  const found = [
    ...(texts === null ? [] : findLinks('post', texts)),
    ...(edits === null ? [] : findLinks('edits', edits)),
  ];
  return found.map((link) => withReason(link, answers.get(link.address) ?? undefined));
}

function withState({ place, kind, address }: PostLink, state: LinkState): PostLink {
  return state === 'found' ? { place, kind, address } : { place, kind, address, state };
}

/** A link as another site answered: null says that it was there, undefined that it was not asked. */
function withReason(link: PostLink, reason: string | null | undefined): PostLink {
  const { place, kind, address } = link;
  if (reason === undefined) return link;
  return reason === null ? { place, kind, address } : { place, kind, address, state: 'unreachable', reason };
}

function countDead(links: readonly PostLink[]): number {
  return links.filter(({ state }) => state !== undefined).length;
}

function toPost({ id, slug, title, is_published, links }: DeadRow): PostWithDeadLinks {
  const dead = links.flatMap(({ state, reason = null, ...link }) =>
    state === undefined ? [] : { ...link, state, reason },
  );
  return { id, slug, title, is_published, links: dead };
}
