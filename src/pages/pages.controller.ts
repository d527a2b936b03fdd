import { All, Controller, Get, Header, Headers, Inject, Logger, NotFoundException, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toLoggedPath } from '../http/logged-path.js';
import { Public } from '../http/public.decorator.js';
import { CLIENT_BUNDLE, type ClientBundle } from './client-bundle.js';
import { errorPage } from './error-page.js';
import { FeedsService } from './feeds.service.js';
import { PageRenderer, type PageAnswer } from './page-renderer.js';
import { ServerPageServices } from './page-services.js';

/** Everything that is not the API or a file: pages, feeds, robots.txt. */
@Public()
@ApiExcludeController()
@Controller()
export class PagesController {
  private readonly logger = new Logger(PagesController.name);

  constructor(
    private readonly renderer: PageRenderer,
    private readonly feeds: FeedsService,
    private readonly services: ServerPageServices,
    @Inject(CLIENT_BUNDLE) private readonly bundle: ClientBundle,
  ) {}

  @Get('sitemap.xml')
  @Header('content-type', 'application/xml; charset=utf-8')
  getSitemap(): Promise<string> {
    return this.feeds.sitemap();
  }

  @Get('rss.xml')
  @Header('content-type', 'application/rss+xml; charset=utf-8')
  getRss(): Promise<string> {
    return this.feeds.rss();
  }

  @Get('robots.txt')
  @Header('content-type', 'text/plain; charset=utf-8')
  getRobots(): string {
    return this.feeds.robots();
  }

  /** An unknown address of the API is a program's mistake and answered as one. */
  @All('api/*')
  refuseUnknownApi(): never {
    throw new NotFoundException({ code: 'not_found', message: 'There is nothing at this address of the API.' });
  }

  @Get('/*')
  async getPage(
    @Req() request: FastifyRequest,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const path = request.url.split('?')[0] ?? '/';
    // Not for addresses with two slashes in front: browsers would take what follows for another host.
    if (path.length > 1 && path.endsWith('/') && !path.startsWith('//')) {
      await reply.redirect(await this.withoutSlash(path), 301);
      return;
    }
    const { status, headers, body } = await this.answer(path, ifNoneMatch);
    await reply.status(status).headers(headers).send(body);
  }

  /** Old addresses mostly end with a slash: who comes by one is sent on once, not twice. */
  private async withoutSlash(path: string): Promise<string> {
    const page = path.replace(/\/+$/, '') || '/';
    // Pages are there although the database is not.
    return (await this.services.findMovedPath(page).catch(() => null)) ?? page;
  }

  private async answer(path: string, ifNoneMatch: string | undefined): Promise<PageAnswer> {
    try {
      return await this.renderer.answer(path, ifNoneMatch);
    } catch (error) {
      this.logger.error({ err: error, path: toLoggedPath(path) }, 'A page could not be rendered');
      return {
        status: 500,
        headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
        body: Buffer.from(errorPage(this.bundle.assetsFor([]).styles)),
      };
    }
  }
}
