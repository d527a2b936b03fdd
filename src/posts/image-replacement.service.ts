import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import type { ReplaceImageInput } from '../shared/contracts/media-query.js';
import type { ReplacedImage } from '../shared/contracts/media.js';
import { MEDIA_PATH, parseMediaName, type MediaName } from '../shared/media.js';
import { UploadsService } from '../uploads/uploads.service.js';
import { replaceIn } from './image-replacement.js';
import { PostWriter, type RowWrite } from './post-writer.js';
import { PostInputError } from './post.errors.js';

/** Puts one image into the place of another wherever posts show it (decision 80). For administrators. */
@Injectable()
export class ImageReplacementService {
  constructor(
    private readonly roles: RolesService,
    private readonly writer: PostWriter,
    private readonly audit: AuditService,
    private readonly uploads: UploadsService,
  ) {}

  /**
   * Replaces an image in all posts and in edits that wait, or in none; earlier versions stay as they were.
   * @throws PostInputError for addresses that are no images of this site, or the same one
   * @throws ImageGoneException if the new one was removed meanwhile
   */
  async replace(actor: Actor, input: ReplaceImageInput): Promise<ReplacedImage> {
    await this.roles.requireAdmin(actor);
    const from = readAddress('from', input.from);
    const to = readAddress('to', input.to);
    if (from.id === to.id) throw new PostInputError([{ field: 'to', message: 'This is the same image' }]);
    const found = await this.uploads.findByRendition(nameOf(input.to));
    if (found === null) throw new PostInputError([{ field: 'to', message: 'There is no such image' }]);
    return await this.writer.transaction(async (em) => {
      const uses = await em.execute<{ id: string }[]>(
        'select distinct post_id as id from image_uses where image_id = ? order by 1',
        [from.id],
      );
      const rows = await this.writer.lock(
        em,
        uses.map(({ id }) => id),
      );
      const writes = rows.flatMap((row): RowWrite[] => {
        const change = replaceIn(row, from, to);
        return change === null ? [] : [{ row, change, isCarryingEdits: true }];
      });
      await this.writer.write(em, actor, writes);
      const posts = writes.length;
      const subject = { subjectType: 'image', subjectId: from.id, subject: nameOf(input.from) } as const;
      await this.audit.record(em, actor, { action: 'image.replaced', ...subject, details: { by: found.name, posts } });
      return { posts };
    });
  }
}

function nameOf(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1);
}

function readAddress(field: 'from' | 'to', address: string): MediaName {
  const media = address.startsWith(MEDIA_PATH) ? parseMediaName(nameOf(address)) : null;
  if (media === null) throw new PostInputError([{ field, message: 'This is no image of this site' }]);
  return media;
}
