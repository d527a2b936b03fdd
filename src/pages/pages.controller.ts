import { All, Controller, Get, NotFoundException, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../http/public.decorator.js';
import { FOR_OTHER_SITES } from '../http/security-headers.js';
import { cleanLine } from '../shared/clean-characters.js';
import { SEARCH_MAX } from '../shared/limits.js';
import { toNumberedAddress } from '../shared/numbered-address.js';
import { paths } from '../shared/paths.js';
import { readTermPath, toTermSlug } from '../shared/term-addresses.js';
import { CompletePage } from './complete-page.js';
import { FeedsService } from './feeds.service.js';
import { ROBOTS_PATH } from './cacheable-addresses.js';
import { toLocation } from './moved-path.js';
import { PageAnswers } from './page-answers.js';
import type { RenderedPage } from './page-cache.js';
import { PageRenderer, PUBLIC_CACHE_CONTROL } from './page-renderer.js';
import { ServerPageServices } from './page-services.js';

/** Everything that is not the API or a file: pages, feeds, robots.txt. */
@Public()
@ApiExcludeController()
@Controller()
export class PagesController {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly feeds: FeedsService,
    private readonly answers: PageAnswers,
    private readonly services: ServerPageServices,
  ) {}

  @Get(paths.sitemap)
  getSitemap(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.sendText(request, reply, paths.sitemap, 'application/xml', () => this.feeds.sitemap());
  }

  @Get(paths.rss)
  getRss(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.sendText(request, reply, paths.rss, 'application/rss+xml', () => this.feeds.rss());
  }

  @Get(paths.jsonFeed)
  getJsonFeed(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.sendText(request, reply, paths.jsonFeed, 'application/feed+json', () => this.feeds.json());
  }

  /** The feeds of a category, a tag or an author. */
  @Get(['blogs/:kind/:name/rss.xml', 'blogs/:kind/:name/feed.json'])
  async getTermFeed(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const path = request.url.split('?')[0] ?? '/';
    const { kind, name = '', rest } = readTermPath(path) ?? {};
    if (kind === undefined || toTermSlug(name) !== name) return this.getPage(request, reply);
    const format = rest === 'rss.xml' ? 'rss.xml' : 'feed.json';
    const type = format === 'rss.xml' ? 'application/rss+xml' : 'application/feed+json';
    await this.answers.send(request, reply, path, async () => {
      const text = await this.services.within(this.feeds.ofTerm({ kind, slug: name }, format));
      return text === null ? this.renderer.render(path) : toTextPage(type, text);
    });
  }

  @Get(ROBOTS_PATH)
  getRobots(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.sendText(request, reply, ROBOTS_PATH, 'text/plain', async () => this.feeds.robots());
  }

  /** An unknown address of the API is a program's mistake and answered as one. */
  @All('api/*')
  refuseUnknownApi(): never {
    throw new NotFoundException({ code: 'not_found', message: 'There is nothing at this address of the API.' });
  }

  @Get('/*')
  async getPage(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    // No page depends on what follows the path, but for numbers of old posts: filters of lists are read in the browser.
    const path = request.url.split('?')[0] ?? '/';
    const numbered = toNumberedAddress(request.url);
    // Kept nowhere, as there is no end of numbers; one that nobody recorded says nothing either.
    const post = numbered === null ? null : await this.renderer.findRecorded(numbered);
    if (post !== null) {
      await reply.header('cache-control', PUBLIC_CACHE_CONTROL).redirect(toLocation(post), 301);
      return;
    }
    const address = await this.renderer.findOtherAddress(path);
    if (address !== null) {
      // Not kept by browsers, as it may be where a redirect or a renamed post leads today.
      await reply.header('cache-control', PUBLIC_CACHE_CONTROL).redirect(toLocation(withWords(address, request)), 301);
      return;
    }
    await this.answers.send(request, reply, path, () => this.renderer.render(path));
  }

  private sendText(
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    type: string,
    write: () => Promise<string>,
  ): Promise<void> {
    return this.answers.send(request, reply, path, async () => toTextPage(type, await this.services.within(write())));
  }
}

/** The address with the words of a search, where it is that of the search: the one page that is nothing without its query. */
function withWords(address: string, { query }: FastifyRequest): string {
  const { q } = query as { readonly q?: unknown };
  return address === paths.search() && typeof q === 'string' ? paths.search(cleanLine(q, SEARCH_MAX)) : address;
}

function toTextPage(type: string, text: string): RenderedPage {
  const headers = {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': PUBLIC_CACHE_CONTROL,
    vary: 'accept-encoding',
    ...FOR_OTHER_SITES,
  };
  return { page: new CompletePage({ status: 200, headers, body: Buffer.from(text) }), isPublic: true };
}
