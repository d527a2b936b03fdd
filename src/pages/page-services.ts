import { Injectable } from '@nestjs/common';
import { PostsService } from '../posts/posts.service.js';
import { PreviewsService } from '../posts/previews.service.js';
import { RedirectsService } from '../redirects/redirects.service.js';
import type { PageServices } from '../shared/contracts/pages.js';
import { resolveMovedPath } from './moved-path.js';

/** Page data over the services of this process. */
@Injectable()
export class ServerPageServices implements PageServices {
  constructor(
    private readonly posts: PostsService,
    private readonly previews: PreviewsService,
    private readonly redirects: RedirectsService,
  ) {}

  listPosts() {
    return this.posts.listPublished();
  }

  findPost(slug: string) {
    return this.posts.findPublishedBySlug(slug);
  }

  findPreview(token: string) {
    return this.previews.find(token);
  }

  /** Where the page at a path is now, of which there is none any more; null for what was never there. */
  async findMovedPath(path: string): Promise<string | null> {
    return resolveMovedPath(path, {
      findMovedSlug: (slug) => this.posts.findMovedSlug(slug),
      findRedirect: (from) => this.redirects.find(from),
    });
  }
}
