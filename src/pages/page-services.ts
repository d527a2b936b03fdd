import { Injectable } from '@nestjs/common';
import { readWithin } from '../database/database-unavailable.js';
import { BlogListService } from '../posts/blog-list.service.js';
import { ListingsService } from '../posts/listings.service.js';
import { PostsService } from '../posts/posts.service.js';
import { PreviewsService } from '../posts/previews.service.js';
import { RedirectsService } from '../redirects/redirects.service.js';
import type { PageServices } from '../shared/contracts/pages.js';
import type { ListedKind } from '../shared/term-addresses.js';
import { TermPagesService } from '../posts/term-pages/term-pages.service.js';
import { resolveMovedPath, type MovedSources } from './moved-path.js';

/** Visitors are told within two seconds that the database is down. */
export const READ_LIMIT_MS = 1500;

/** The address of a page that has moved. */
interface Move {
  readonly address: string;
  /** True where a pattern leads on: it is about any number of addresses. */
  readonly isByPattern: boolean;
}

/** Page data over the services of this process; DatabaseUnavailableError while there is none. */
@Injectable()
export class ServerPageServices implements PageServices {
  /** Tests set another one: a busy machine may need longer for what is well. */
  readLimitMs = READ_LIMIT_MS;

  constructor(
    private readonly posts: PostsService,
    private readonly lists: BlogListService,
    private readonly listings: ListingsService,
    private readonly terms: TermPagesService,
    private readonly previews: PreviewsService,
    private readonly redirects: RedirectsService,
  ) {}

  /**
   * Waits for data of a page for as long as its visitor is kept waiting.
   * @throws DatabaseUnavailableError
   */
  within<T>(reading: Promise<T>): Promise<T> {
    return readWithin(this.readLimitMs, reading);
  }

  listPosts() {
    return this.within(this.lists.list());
  }

  findListing(kind: 'archive' | ListedKind, rest: readonly string[]) {
    return this.within(this.listings.find(kind, rest));
  }

  findPost(slug: string) {
    return this.within(this.posts.findPublishedBySlug(slug));
  }

  findPreview(token: string) {
    return this.within(this.previews.find(token));
  }

  /** @throws Error always */
  search(): Promise<never> {
    throw new Error('A search is a fact of its request: SearchPageController makes it');
  }

  /**
   * Returns where a page has moved to; null when there never was one.
   * @param isFixed true for an address at which there may be a page: no pattern is about it
   */
  async findMove(path: string, isFixed = false): Promise<Move | null> {
    let isByPattern = false;
    const sources: MovedSources = {
      findMovedSlug: (slug) => this.posts.findMovedSlug(slug),
      hasTerm: async (term) => (await this.terms.findName(term)) !== null,
      findRedirect: async (from) => {
        const found = await this.redirects.find(from);
        if (found?.by === 'pattern') isByPattern = true;
        return found;
      },
    };
    const address = await this.within(resolveMovedPath(path, sources, isFixed));
    return address === null ? null : { address, isByPattern };
  }
}
