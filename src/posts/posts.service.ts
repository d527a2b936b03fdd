import { Injectable } from '@nestjs/common';
import type { PostDetail, PostSummary } from '../shared/contracts/posts.js';

/** Interim: the real one is on the branch `posts` and replaces this file whole. */
@Injectable()
export class PostsService {
  async listPublished(): Promise<PostSummary[]> {
    return [];
  }
  async findPublishedBySlug(_slug: string): Promise<PostDetail | null> {
    return null;
  }
  /** Newest first, with text. */
  async listLatestPublished(_limit: number): Promise<PostDetail[]> {
    return [];
  }
  /** What the sitemap needs. */
  async listPublishedAddresses(): Promise<{ slug: string; updatedAt: Date }[]> {
    return [];
  }
}
