import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { SEARCH_TEXTS } from '../shared/search-texts.js';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import { cleanLine } from '../shared/clean-characters.js';
import type { DescribeImageInput, MediaQuery } from '../shared/contracts/media-query.js';
import type { MediaPage, MediaUse } from '../shared/contracts/media.js';
import { ALTERNATIVE_TEXT_MAX } from '../shared/limits.js';
import type { MediaKind } from '../shared/media.js';
import { filesOf } from '../shared/media-files.js';
import { IS_USED, ON_COMPANY_PAGES } from './company-uses.js';
import { findUses } from './image-uses.js';
import { Image, type ImageRow } from './image.entity.js';
import { toMediaItem, toStoredMedia, type StoredMedia } from './media.presenter.js';
import { tidyUp } from './storage/delete-files.js';
import { STORAGE, type Storage } from './storage/storage.js';
import { ImageDescribedException, ImageInUseException, ImageNotFoundException } from './upload.errors.js';
import { UploadsService } from './uploads.service.js';

export type { StoredMedia } from './media.presenter.js';

/** Images that are listed at once. */
export const MEDIA_PAGE_SIZE = 48;
/** Rows that {@link MediaLibraryService.listAll} reads at once. */
const LIST_PAGE = 500;

/** Which of all stored media are listed. */
export interface StoredMediaQuery {
  readonly kind?: MediaKind | undefined;
  /** True for those that nothing shows. */
  readonly isUnused?: boolean;
}

/** The images as administrators and authors see them. */
@Injectable()
export class MediaLibraryService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
    private readonly uploads: UploadsService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
    @Inject(STORAGE) private readonly storage: Storage,
  ) {}

  /**
   * Some of all images, newest first, with the posts that show them, drafts among them. Authors see what readers see,
   * what their own posts show and what nothing shows, and of the posts only their own.
   */
  async list(actor: Actor, query: MediaQuery): Promise<MediaPage> {
    const { ownerId } = await this.roles.requireAuthor(actor);
    const em = this.em.fork();
    const found = await findImages(em, query, ownerId);
    const images = found.slice(0, MEDIA_PAGE_SIZE);
    const uses = await findUses(
      em,
      images.map(({ id }) => id),
      ownerId,
    );
    const items = images.map((image) => toMediaItem(image, uses.get(image.id) ?? [], this.uploads.publicBase));
    return { items, next_cursor: found.length > images.length ? (images.at(-1)?.id ?? null) : null };
  }

  /** Everything that is stored, newest first, read in pages; images, sound, films and captions. */
  async *listAll(actor: Actor, { kind, isUnused }: StoredMediaQuery = {}): AsyncGenerator<StoredMedia> {
    await this.roles.requireAdmin(actor);
    for (let after: string | undefined; ;) {
      const em = this.em.fork({ disableTransactions: true });
      const conditions = ['removed_at is null'];
      const values: string[] = [];
      if (kind !== undefined) {
        conditions.push('kind = ?');
        values.push(kind);
      }
      if (after !== undefined) {
        conditions.push(AFTER);
        values.push(after);
      }
      const rows = await findPage(em, conditions, values, LIST_PAGE);
      const uses = await findUses(
        em,
        rows.map(({ id }) => id),
      );
      for (const row of rows) {
        const item = toStoredMedia(row, uses.get(row.id) ?? []);
        if (isUnused !== true || item.uses.length === 0) yield item;
      }
      if (rows.length < LIST_PAGE) return;
      after = rows.at(-1)?.id;
    }
  }

  /**
   * Writes the alternative text that is offered where the image is added next.
   * @throws ImageNotFoundException
   * @throws ImageDescribedException when others than those of `before` stand there, and not these words either
   */
  async describe(actor: Actor, id: string, { alt, before }: DescribeImageInput): Promise<void> {
    await this.roles.requireAdmin(actor);
    const alternativeText = cleanLine(alt, ALTERNATIVE_TEXT_MAX) || null;
    const em = this.em.fork();
    const expected =
      before === undefined ? {} : { $or: wordsOf(before, alt).map((words) => ({ alternativeText: words || null })) };
    const changed = await em.nativeUpdate(Image, { id, removedAt: null, ...expected }, { alternativeText });
    if (changed > 0) return;
    const image = await em.findOne(Image, { id, removedAt: null });
    throw image === null ? new ImageNotFoundException() : new ImageDescribedException(image.alternativeText ?? null);
  }

  /**
   * Removes an image that nothing shows.
   * @throws ImageInUseException naming its uses
   * @throws ImageNotFoundException
   */
  async remove(actor: Actor, id: string): Promise<void> {
    await this.roles.requireAdmin(actor);
    const image = await this.em.fork().transactional(async (em) => {
      const row = await em.findOne(Image, { id, removedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (row === null) throw new ImageNotFoundException();
      const uses: readonly MediaUse[] = (await findUses(em, [id])).get(id) ?? [];
      if (uses.length > 0) throw new ImageInUseException(uses);
      const subject = { subjectType: 'image', subjectId: id, subject: row.fileName ?? row.name } as const;
      await this.audit.record(em, actor, { action: 'image.removed', ...subject });
      return giveUp(row, this.clock.now());
    });
    // The sweep deletes files that cannot be deleted here.
    await tidyUp(this.storage, filesOf(image.name), () => undefined);
  }
}

/** The words that may stand in the library: those that were read, as they are kept, or the new ones, when a request comes twice. */
function wordsOf(before: string, alt: string): string[] {
  return [before, ...[before, alt].map((text) => cleanLine(text, ALTERNATIVE_TEXT_MAX))];
}

/** Marks an image as removed, in the transaction that has found it unused and holds its lock. */
export function giveUp(image: ImageRow, now: Date): ImageRow {
  // Without its hash, so that the same image can come again.
  return Object.assign(image, { removedAt: now, sourceHash: null });
}

/** One more than are listed at once, to know whether there are more. */
async function findImages(
  em: EntityManager,
  { cursor, unused, search }: MediaQuery,
  ownerId: string | null,
): Promise<ImageRow[]> {
  // Only the conditions that are wanted: the planner cannot use an index for what may not apply.
  const conditions = ["kind = 'image'", 'removed_at is null'];
  const values: string[] = [];
  if (cursor) {
    conditions.push(AFTER);
    values.push(cursor);
  }
  if (ownerId !== null) {
    conditions.push(`(not ${IS_USED} or ${ON_COMPANY_PAGES} or exists (
      select from image_uses use join blog_posts post on post.id = use.post_id where use.image_id = images.id
      and (post.owner_id = ? or (post.is_published and post.deleted_at is null and use.kind = 'post'))))`);
    values.push(ownerId);
  }
  if (unused) conditions.push(`not ${IS_USED}`);
  if (search) {
    // Of posts, the first half finds candidates by the index, the second looks at the title alone.
    // Alternative texts are kept as they were typed, and so were names of files once.
    const spellings = [...new Set([search.normalize('NFC'), search.normalize('NFD')])];
    const inEither = (condition: string) => `(${spellings.map(() => condition).join(' or ')})`;
    conditions.push(`id in (select id from images where ${inEither(`${SEARCH_TEXTS.images} ilike ?`)}
      union all select image_id from image_uses join blog_posts on blog_posts.id = post_id
      where ${inEither(`${SEARCH_TEXTS.posts} ilike ?`)} and ${inEither('position(lower(?) in lower(title)) > 0')}
      ${ownerId === null ? '' : 'and owner_id = ?'})`);
    const patterns = spellings.map((spelling) => `%${spelling.replace(/[\\%_]/g, '\\$&')}%`);
    values.push(...patterns, ...patterns, ...spellings, ...(ownerId === null ? [] : [ownerId]));
  }
  return await findPage(em, conditions, values, MEDIA_PAGE_SIZE + 1);
}

/** The condition for images behind one, by its id: the database counts in microseconds, which a date here does not have. */
const AFTER = '(created_at, id) < (select created_at, id from images where id = ?)';

/** The newest images that meet all conditions, the newest first. */
async function findPage(
  em: EntityManager,
  conditions: readonly string[],
  values: readonly string[],
  limit: number,
): Promise<ImageRow[]> {
  const rows = await em.execute<{ id: string }[]>(
    `select id from images where ${conditions.join(' and ')} order by created_at desc, id desc limit ?`,
    [...values, limit],
  );
  const ids = rows.map(({ id }) => id);
  const images = await em.find(Image, { id: { $in: ids } });
  return images.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}
