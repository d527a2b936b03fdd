import { Injectable } from '@nestjs/common';
import { readWithin } from '../database/database-unavailable.js';
import { PostsService } from '../posts/posts.service.js';
import { PreviewsService } from '../posts/previews.service.js';
import type { PageServices } from '../shared/contracts/pages.js';
import { paths } from '../shared/paths.js';
import { slugOf } from './kept-addresses.js';

/** Visitors are told within two seconds that the database is down. */
export const READ_LIMIT_MS = 1500;

/** Page data over the services of this process; DatabaseUnavailableError while there is none. */
@Injectable()
export class ServerPageServices implements PageServices {
  constructor(
    private readonly posts: PostsService,
    private readonly previews: PreviewsService,
  ) {}

  listPosts() {
    return readWithin(READ_LIMIT_MS, this.posts.listPublished());
  }

  findPost(slug: string) {
    return readWithin(READ_LIMIT_MS, this.posts.findPublishedBySlug(slug));
  }

  findPreview(token: string) {
    return readWithin(READ_LIMIT_MS, this.previews.find(token));
  }

  /** Where the page at a path is now, of which there is none any more; null for what was never there. */
  async findMovedPath(path: string): Promise<string | null> {
    const slug = slugOf(path);
    const moved = slug === null ? null : await readWithin(READ_LIMIT_MS, this.posts.findMovedSlug(slug));
    return moved === null ? null : paths.blog(moved);
  }
}
