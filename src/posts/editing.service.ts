import { randomBytes, randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { RolesService } from '../roles/roles.service.js';
import { userIdOf, type Actor } from '../shared/actor.js';
import { CreatePostInput, KeepWorkingCopyInput, SavePostInput } from '../shared/contracts/admin-post-inputs.js';
import type { AdminPost, PostForm } from '../shared/contracts/admin-posts.js';
import { slugify } from '../shared/slug.js';
import { stateOf, wasSaved } from './admin-post.presenter.js';
import { cleanForm } from './clean-form.js';
import { NO_WORKING_COPY, toChange, type PostChange } from './post-change.js';
import { preparePost, readInput, readPost, type PostFields } from './post-preparation.js';
import { isSlugFree } from './post-slugs.js';
import { PostWriter, type PostEvent as RowEvent } from './post-writer.js';
import type { PostRow } from './post.entity.js';
import { PostChangedException, PostInputError, PostNotFoundException, PostTrashedException } from './post.errors.js';

type PostEvent = Omit<RowEvent, 'row'>;

/** A save as it comes from any door. */
interface Save {
  readonly id: string;
  readonly version: number;
  readonly saveId: string;
  readonly fields: PostFields;
  readonly isPublished: boolean | undefined;
  readonly restoredFrom: string | undefined;
}

/** Writing posts: the editor's saves, and the edits that are kept until they are saved. For administrators. */
@Injectable()
export class EditingService {
  constructor(
    private readonly writer: PostWriter,
    private readonly roles: RolesService,
  ) {}

  /** @throws PostNotFoundException */
  async find(actor: Actor, id: string): Promise<AdminPost> {
    await this.roles.requireAdmin(actor);
    return await this.writer.read(id);
  }

  /** @throws PostInputError, SlugTakenException, or PostChangedException if the id is taken */
  async create(actor: Actor, body: unknown): Promise<AdminPost> {
    const { input, fields } = readPost(CreatePostInput, body);
    return await this.saveFields(actor, {
      id: input.id ?? randomUUID(),
      version: 0,
      saveId: input.save_id ?? randomUUID(),
      fields,
      isPublished: input.is_published,
      restoredFrom: undefined,
    });
  }

  /** @throws PostInputError, SlugTakenException, PostNotFoundException, PostChangedException */
  async save(actor: Actor, id: string, body: unknown): Promise<AdminPost> {
    const { input, fields } = readPost(SavePostInput, body);
    return await this.saveFields(actor, {
      id,
      version: input.version,
      saveId: input.save_id ?? randomUUID(),
      fields,
      isPublished: input.is_published,
      restoredFrom: input.restored_from,
    });
  }

  /**
   * Keeps edits without being asked. A draft takes them as they are when they could be saved; whatever readers may
   * see, and what cannot be saved yet, waits beside the post.
   * @throws PostInputError for values of another type, PostNotFoundException, PostChangedException
   */
  async keepWorkingCopy(actor: Actor, id: string, body: unknown): Promise<AdminPost> {
    await this.roles.requireAdmin(actor);
    const input = readInput(KeepWorkingCopyInput, body);
    const form = cleanForm(input.fields);
    return await this.writer.transaction(async (em) => {
      const lastSaveId = input.save_id ?? randomUUID();
      const row = await this.open(em, id, input.version, lastSaveId);
      if (row === 'done') return await this.presentById(em, id);
      const fields = row === null || stateOf(row) === 'draft' ? await this.findSavable(em, id, form) : null;
      if (fields !== null) return await this.autosave(em, actor, { id, row, fields, lastSaveId });
      const kept = { fields: form, is_published: input.is_published };
      const now = this.writer.clock.now();
      const [written] = await this.writer.write(em, actor, [
        {
          row,
          id,
          change: {
            ...(row === null ? emptyDraft(now) : {}),
            workingCopy: kept,
            workingTitle: form.title,
            keptAt: now,
            keptBy: userIdOf(actor),
            lastSaveId,
          },
        },
      ]);
      return await this.finish(em, actor, written, row === null ? [{ action: 'post.created' }] : []);
    });
  }

  /** Throws the kept edits away; they can be found among the revisions. @throws PostChangedException */
  async discardWorkingCopy(actor: Actor, id: string, version: number): Promise<AdminPost> {
    await this.roles.requireAdmin(actor);
    return await this.writer.transaction(async (em) => {
      const row = await this.writer.lockVersion(em, id, version);
      const isThere = row.workingCopy != null;
      if (!isThere) return await this.writer.present(em, row);
      const [written] = await this.writer.write(em, actor, [{ row, change: NO_WORKING_COPY, isDiscarding: true }]);
      return await this.finish(em, actor, written, [{ action: 'post.working_copy_discarded' }]);
    });
  }

  /** A draft with the same contents at an address of its own. @throws PostNotFoundException */
  async duplicate(actor: Actor, id: string): Promise<AdminPost> {
    await this.roles.requireAdmin(actor);
    return await this.writer.transaction(async (em) => {
      const [source] = await this.writer.lock(em, [id]);
      if (source === undefined) throw new PostNotFoundException();
      const now = this.writer.clock.now();
      const copyId = randomUUID();
      const change = wasSaved(source)
        ? { ...(await this.copyFields(em, source, now)), savedBy: userIdOf(actor) }
        : { ...emptyDraft(now), ...copyEdits(source), keptAt: now, keptBy: userIdOf(actor) };
      const [written] = await this.writer.write(em, actor, [{ row: null, id: copyId, change }]);
      if (written && wasSaved(written)) await this.writer.keepVersion(em, actor, written, 'saved');
      return await this.finish(em, actor, written, [{ action: 'post.created', details: { copy_of: id } }]);
    });
  }

  private async saveFields(actor: Actor, save: Save): Promise<AdminPost> {
    await this.roles.requireAdmin(actor);
    const { id, fields, isPublished } = save;
    return await this.writer.transaction(async (em) => {
      const row = await this.open(em, id, save.version, save.saveId);
      if (row === 'done') return await this.presentById(em, id);
      if (row?.deletedAt && isPublished === true) throw new PostTrashedException();
      const change: PostChange = {
        ...toChange(row, fields, isPublished ?? (row === null ? false : undefined), this.writer.clock.now()),
        ...NO_WORKING_COPY,
        savedBy: userIdOf(actor),
        lastSaveId: save.saveId,
      };
      const wasPublished = row?.isPublished ?? false;
      const [written] = await this.writer.write(em, actor, [{ row, id, change }]);
      if (written) await this.writer.keepVersion(em, actor, written, 'saved');
      return await this.finish(em, actor, written, eventsOf(save, wasPublished));
    });
  }

  /** The row to write over, null for one that is not there yet, 'done' when this very attempt was made already. */
  private async open(em: EntityManager, id: string, version: number, saveId: string): Promise<PostRow | null | 'done'> {
    const [row] = await this.writer.lock(em, [id]);
    if (row === undefined && version > 0) throw new PostNotFoundException();
    if (row === undefined) return null;
    if (row.version === version) return row;
    if (row.lastSaveId === saveId) return 'done';
    throw new PostChangedException(await this.writer.present(em, row));
  }

  private async presentById(em: EntityManager, id: string): Promise<AdminPost> {
    const [row] = await this.writer.lock(em, [id]);
    if (row === undefined) throw new PostNotFoundException();
    return await this.writer.present(em, row);
  }

  private async autosave(
    em: EntityManager,
    actor: Actor,
    save: { id: string; row: PostRow | null; fields: PostFields; lastSaveId: string },
  ): Promise<AdminPost> {
    const { id, row, fields, lastSaveId } = save;
    const now = this.writer.clock.now();
    const author = userIdOf(actor);
    const contents = toChange(row, fields, row === null ? false : undefined, now);
    const change = { ...contents, ...NO_WORKING_COPY, savedBy: author, lastSaveId };
    const [written] = await this.writer.write(em, actor, [{ row, id, change }]);
    if (written) await this.writer.keepVersion(em, actor, written, 'autosaved');
    return await this.finish(em, actor, written, row === null ? [{ action: 'post.created' }] : []);
  }

  /** What a form holds if it could be saved as it stands. */
  private async findSavable(em: EntityManager, id: string, form: PostForm): Promise<PostFields | null> {
    try {
      const fields = preparePost(form);
      return (await isSlugFree(em, fields.slug, id)) ? fields : null;
    } catch (error) {
      if (error instanceof PostInputError) return null;
      throw error;
    }
  }

  private async finish(
    em: EntityManager,
    actor: Actor,
    row: PostRow | undefined,
    events: readonly PostEvent[],
  ): Promise<AdminPost> {
    if (row === undefined) throw new Error('Nothing was written');
    await this.writer.record(em, actor, ...events.map((event) => ({ row, ...event })));
    return await this.writer.present(em, row);
  }

  private async copyFields(em: EntityManager, source: PostRow, now: Date): Promise<PostChange> {
    const { excerpt, content, imageUrl, imageAlt, category, tags, author } = source;
    const title = copyTitle(source.title);
    const slug = await findFreeSlug(em, slugify(title));
    const fields = { title, slug, excerpt, content, imageUrl, imageAlt, category, tags, author, publishedDate: null };
    return toChange(null, fields, false, now);
  }
}

function eventsOf({ version, isPublished, restoredFrom }: Save, wasPublished: boolean): PostEvent[] {
  const details = restoredFrom === undefined ? {} : { details: { restored_from: restoredFrom } };
  const saved: PostEvent = { action: version === 0 ? 'post.created' : 'post.saved', ...details };
  if (isPublished === undefined || isPublished === wasPublished) return [saved];
  return [saved, { action: isPublished ? 'post.published' : 'post.unpublished' }];
}

/** A post that has a place but no contents. */
function emptyDraft(now: Date): PostChange {
  const slug = `untitled-${randomBytes(4).toString('hex')}`;
  return { title: '', slug, content: '', author: '', publishedDate: now, isPublished: false };
}

function copyEdits({ workingCopy }: PostRow): PostChange {
  if (!workingCopy) return {};
  const title = copyTitle(workingCopy.fields.title);
  return { workingCopy: { ...workingCopy, fields: { ...workingCopy.fields, title } }, workingTitle: title };
}

function copyTitle(title: string): string {
  return [...`Copy of ${title}`].slice(0, 200).join('');
}

/** The slug itself, or with a number behind it. */
async function findFreeSlug(em: EntityManager, wanted: string): Promise<string> {
  const base = wanted.slice(0, 180);
  for (let number = 1; number < 50; number += 1) {
    const slug = number === 1 ? base : `${base}-${number}`;
    if (await isSlugFree(em, slug, null)) return slug;
  }
  return `${base}-${randomBytes(4).toString('hex')}`;
}
