import { Injectable } from '@nestjs/common';
import { PostsService } from '../posts/posts.service.js';
import type { PageServices } from '../shared/contracts/pages.js';

/** Page data over the services of this process. */
@Injectable()
export class ServerPageServices implements PageServices {
  constructor(private readonly posts: PostsService) {}

  listPosts() {
    return this.posts.listPublished();
  }

  findPost(slug: string) {
    return this.posts.findPublishedBySlug(slug);
  }
}
