import { Injectable } from '@nestjs/common';
import { PostsService } from '../posts/posts.service.js';
import { PreviewsService } from '../posts/previews.service.js';
import type { PageServices } from '../shared/contracts/pages.js';
import { paths } from '../shared/paths.js';

/** Page data over the services of this process. */
@Injectable()
export class ServerPageServices implements PageServices {
  constructor(
    private readonly posts: PostsService,
    private readonly previews: PreviewsService,
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
    const slug = slugOf(path);
    const moved = slug === null ? null : await this.posts.findMovedSlug(slug);
    return moved === null ? null : paths.blog(moved);
  }
}

function slugOf(path: string): string | null {
  const [, encoded] = /^\/blogs\/([^/]+)$/.exec(path) ?? [];
  try {
    return encoded === undefined ? null : decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
