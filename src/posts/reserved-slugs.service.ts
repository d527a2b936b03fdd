import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { SYSTEM } from '../shared/actor.js';
import { isReservedSlug, RESERVED_SLUGS, toUnreservedSlug } from '../shared/reserved-slugs.js';
import { isPublic, type PostChange } from './post-change.js';
import { findFreeSlug, keepAddresses } from './post-slugs.js';
import { PostWriter } from './post-writer.js';
import type { PostRow } from './post.entity.js';

/** Moves posts of earlier releases and of restored backups whose slugs are reserved now. */
@Injectable()
export class ReservedSlugsService {
  constructor(private readonly writer: PostWriter) {}

  /**
   * Gives every post that has a reserved slug another one, drafts and the trash included. Addresses at which readers
   * knew a post lead to the new one.
   */
  async movePosts(): Promise<void> {
    await this.writer.transaction(async (em) => {
      const ids = await findReserved(em);
      if (ids.length === 0) return;
      for (const row of await this.writer.lock(em, ids)) {
        // Another process may have moved it while this one waited.
        if (isReservedSlug(row.slug)) await this.move(em, row);
      }
    });
  }

  private async move(em: EntityManager, row: PostRow): Promise<void> {
    const from = row.slug;
    const slug = await findFreeSlug(em, toUnreservedSlug(from));
    if (isPublic(row)) await keepAddresses(em, [row]);
    // Its text is what it was.
    const change: PostChange = { slug, updatedAt: row.updatedAt, ...withMovedCopy(row, slug) };
    await this.writer.writeOne(em, SYSTEM, { row, change });
    await this.writer.record(em, SYSTEM, { row, action: 'post.moved', details: { from, to: slug } });
  }
}

/** Edits that wait beside the post keep the new slug, or they could not be saved. */
function withMovedCopy({ workingCopy }: PostRow, slug: string): PostChange {
  if (!workingCopy || !isReservedSlug(workingCopy.fields.slug ?? '')) return {};
  return { workingCopy: { ...workingCopy, fields: { ...workingCopy.fields, slug } } };
}

async function findReserved(em: EntityManager): Promise<string[]> {
  const places = RESERVED_SLUGS.map(() => '?').join();
  const found = await em.execute<{ readonly id: string }[]>(
    `select id from blog_posts where lower(slug) in (${places})`,
    [...RESERVED_SLUGS],
  );
  return found.map(({ id }) => id);
}
