import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { RolesService } from '../roles/roles.service.js';
import { CompanyService, SettingsRefusedError } from '../settings/company.service.js';
import type { Actor } from '../shared/actor.js';
import type { ReplaceImageInput } from '../shared/contracts/media-query.js';
import type { ReplacedImage } from '../shared/contracts/media.js';
import { MEDIA_PATH, parseMediaName, type MediaName } from '../shared/media.js';
import { SiteService } from '../site/site.service.js';
import { UploadsService } from '../uploads/uploads.service.js';
import { replaceIn } from './image-replacement.js';
import { PostWriter, type RowWrite } from './post-writer.js';
import { ImageNotShownException, PostInputError } from './post.errors.js';

/** Puts one image into the place of another wherever posts and the company show it (decisions 80 and 115). For administrators. */
@Injectable()
export class ImageReplacementService {
  constructor(
    private readonly roles: RolesService,
    private readonly writer: PostWriter,
    private readonly audit: AuditService,
    private readonly uploads: UploadsService,
    private readonly company: CompanyService,
    private readonly site: SiteService,
  ) {}

  /**
   * Replaces an image in all posts, in the facts of the company, and in edits that wait, or in none; earlier versions stay
   * as they were.
   * @throws PostInputError for addresses that are no images of this site, for the same one, and for one that cannot stand
   * for the company where the other does
   * @throws ImageNotShownException if there is nothing to replace it in
   * @throws ImageGoneException if the new one was removed meanwhile
   */
  async replace(actor: Actor, input: ReplaceImageInput): Promise<ReplacedImage> {
    await this.roles.requireAdmin(actor);
    const from = readAddress('from', input.from);
    const to = readAddress('to', input.to);
    if (from.id === to.id) throw new PostInputError([{ field: 'to', message: 'This is the same image' }]);
    const found = await this.uploads.findByRendition(nameOf(input.to));
    if (found === null) throw new PostInputError([{ field: 'to', message: 'There is no such image' }]);
    const replaced = await this.writer.largeTransaction(async (em) => {
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
      const company = await this.replaceInCompany(em, actor, from.id, found.url);
      // Somebody else was faster. Said as done, it would look as if the new image were shown.
      if (posts === 0 && company.length === 0) throw new ImageNotShownException();
      const subject = { subjectType: 'image', subjectId: from.id, subject: nameOf(input.from) } as const;
      await this.audit.record(em, actor, { action: 'image.replaced', ...subject, details: { by: found.name, posts } });
      return { posts, company };
    });
    if (replaced.company.length > 0) await this.site.refresh();
    return replaced;
  }

  private async replaceInCompany(em: EntityManager, actor: Actor, fromId: string, to: string): Promise<string[]> {
    try {
      return await this.company.replacePicture(em, actor, fromId, to);
    } catch (error) {
      if (!(error instanceof SettingsRefusedError)) throw error;
      throw new PostInputError(error.problems.map(({ message }) => ({ field: 'to', message })));
    }
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
