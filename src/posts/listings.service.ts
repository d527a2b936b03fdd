import { Injectable } from '@nestjs/common';
import type { ArchivePage, TermPage } from '../shared/contracts/blog-list.js';
import { toArchivePlace } from '../shared/paths.js';
import { readPart, toTermSlug, type ListedKind } from '../shared/term-addresses.js';
import { BlogListService } from './blog-list.service.js';
import { TermPagesService } from './term-pages/term-pages.service.js';

/** Finds the pages of posts below the blog by the parts of their addresses: of the archive, and of terms. */
@Injectable()
export class ListingsService {
  constructor(
    private readonly lists: BlogListService,
    private readonly terms: TermPagesService,
  ) {}

  /** A page, or null if there is none at this address, or only under another spelling of it. */
  async find(kind: 'archive' | ListedKind, rest: readonly string[]): Promise<ArchivePage | TermPage | null> {
    const [name = '', second, third] = rest;
    if (kind === 'archive') {
      const place = toArchivePlace(name, second, third);
      return place === null ? null : await this.lists.find(place);
    }
    const part = readPart(second);
    const isPage = part !== null && second !== '' && third === undefined && toTermSlug(name) === name;
    return isPage ? await this.terms.find({ kind, slug: name }, part) : null;
  }
}
