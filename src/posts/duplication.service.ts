import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { RolesService } from '../roles/roles.service.js';
import { userIdOf, type Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import type { AdminPost } from '../shared/contracts/admin-posts.js';
import { fieldNames, postFields } from '../shared/contracts/post-fields.js';
import { slugify } from '../shared/slug.js';
import { wasSaved } from './admin-post.presenter.js';
import { emptyDraft, toChange, type PostChange } from './post-change.js';
import type { PostFields } from './post-preparation.js';
import { findFreeSlug } from './post-slugs.js';
import { PostWriter } from './post-writer.js';
import type { PostRow } from './post.entity.js';
import { readTexts, toColumns } from './post-texts.js';

const copiedFields = fieldNames(({ isCopied }) => isCopied !== false);
const ownFields = new Set<string>(fieldNames(({ isCopied }) => isCopied === false));

/** Beginning a post from another one. For administrators and authors. */
@Injectable()
export class DuplicationService {
  constructor(
    private readonly writer: PostWriter,
    private readonly clock: Clock,
    private readonly roles: RolesService,
  ) {}

  /** A draft with the same contents at an address of its own. @throws PostNotFoundException */
  async duplicate(actor: Actor, id: string): Promise<AdminPost> {
    const scope = await this.roles.requireAuthor(actor);
    return await this.writer.transaction(async (em) => {
      const source = await this.writer.lockOne(em, id, scope);
      const isSaved = wasSaved(source);
      const change = isSaved ? await this.copySaved(em, actor, source) : await this.copyEdits(em, actor, source);
      const written = await this.writer.writeOne(em, actor, { row: null, id: randomUUID(), change });
      if (isSaved) await this.writer.recordVersion(em, actor, written, 'saved');
      await this.writer.record(em, actor, { row: written, action: 'post.created', details: { copy_of: id } });
      return await this.writer.present(em, written, scope);
    });
  }

  private async copySaved(em: EntityManager, actor: Actor, source: PostRow): Promise<PostChange> {
    const title = toCopyTitle(source.title);
    const slug = await findFreeSlug(em, slugify(title));
    const copied = toColumns(readTexts(source, copiedFields)) as Omit<PostFields, 'publishedDate'>;
    const fields: PostFields = { ...copied, title, slug, publishedDate: null };
    return { ...toChange(null, fields, false, this.clock.now()), savedBy: userIdOf(actor) };
  }

  /** Copies the edits of a post that was never saved and has nothing else, but for the address that it is to have. */
  private async copyEdits(em: EntityManager, actor: Actor, { workingCopy }: PostRow): Promise<PostChange> {
    const now = this.clock.now();
    if (!workingCopy) return emptyDraft(now);
    const fields = Object.fromEntries(Object.entries(workingCopy.fields).filter(([name]) => !ownFields.has(name)));
    const title = toCopyTitle(fields.title ?? '');
    const slug = await findFreeSlug(em, slugify(title));
    const copy = { is_published: false, fields: { ...fields, title, slug, published_date: null }, unsaved_date: null };
    // The row has it as well: nobody sees there what edits are to have, and the next copy would get the same.
    return { ...emptyDraft(now), slug, workingCopy: copy, workingTitle: title, keptAt: now, keptBy: userIdOf(actor) };
  }
}

function toCopyTitle(title: string): string {
  return [...`Copy of ${title}`].slice(0, postFields.title.limit).join('');
}
