import type { EntityManager } from '@mikro-orm/postgresql';
import type { MediaUse, PostUseKind } from '../shared/contracts/media.js';
import { mediaIdOf } from '../shared/media-files.js';
import { findCompanyUses } from './company-uses.js';
import { ImageUse } from './image-use.entity.js';
import { ImageGoneException } from './upload.errors.js';

/**
 * Records the images that a text of a post shows, in one statement. The images are locked against removal until the
 * transaction ends; a removal in progress is waited for, and the image is then found gone.
 * @param isReplacing true ends uses that are not named; otherwise they stay
 * @throws ImageGoneException if an image was removed
 */
export async function writeUses(
  em: EntityManager,
  postId: string,
  kind: PostUseKind,
  addresses: Iterable<string>,
  isReplacing: boolean,
): Promise<void> {
  const ids = idsOf(addresses);
  if (ids.length === 0 && !isReplacing) return;
  const gone = await em.execute<{ name: string }[]>(
    `with wanted as materialized (
       select id, name, removed_at from images where id = any(?::text[]) order by id for share
     ), ended as (
       delete from image_uses where ? and post_id = ? and kind = ? and image_id <> all(?::text[])
     ), begun as (
       insert into image_uses (image_id, post_id, kind)
       select id, ?::uuid, ? from wanted where removed_at is null on conflict do nothing
     )
     select name from wanted where removed_at is not null`,
    [toArray(ids), isReplacing, postId, kind, toArray(ids), postId, kind],
  );
  if (gone.length > 0) throw new ImageGoneException();
}

/**
 * Finds what shows these images, by image; drafts and posts in the trash count too, and so do drafts and versions of the
 * company.
 * @param ownerId of the posts that are looked at, and nothing else; null for everything
 */
export async function findUses(
  em: EntityManager,
  imageIds: readonly string[],
  ownerId: string | null = null,
): Promise<Map<string, MediaUse[]>> {
  const fields = ['image', 'kind', 'post.id', 'post.title'] as const;
  const orderBy = { post: { title: 'asc', id: 'asc' }, kind: 'asc' } as const;
  const where = { image: { $in: [...imageIds] }, ...(ownerId === null ? {} : { post: { owner: ownerId } }) };
  const rows = await em.find(ImageUse, where, { fields, populate: ['post'], orderBy });
  const found = rows.map(({ image, post, kind }) => [image.id, { post_id: post.id, title: post.title, kind }] as const);
  const ofCompany = ownerId === null ? await findCompanyUses(em, imageIds) : [];
  const uses = new Map<string, MediaUse[]>();
  for (const [id, use] of [...ofCompany, ...found]) {
    const own = uses.get(id);
    // Not copied: thousands of posts may share an image.
    if (own === undefined) uses.set(id, [use]);
    else own.push(use);
  }
  return uses;
}

/** Writes ids as an array literal; the driver of the ORM would take an array for a list of parameters. */
function toArray(ids: readonly string[]): string {
  return `{${ids.join(',')}}`;
}

/** Returns the ids in addresses of images, from this server or from a bucket: the last part is always the name. */
function idsOf(addresses: Iterable<string>): string[] {
  const ids = new Set<string>();
  for (const address of addresses) {
    const id = mediaIdOf(address.slice(address.lastIndexOf('/') + 1));
    if (id !== null) ids.add(id);
  }
  return [...ids].sort();
}
