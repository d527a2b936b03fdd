import { Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RETRY_AFTER_SECONDS } from '../config/time-limits.js';
import { DatabaseUnavailableError } from '../database/database-unavailable.js';
import { toLoggedPath } from '../http/logged-path.js';
import { Metrics } from '../metrics/metrics.js';
import { SiteService } from '../site/site.service.js';
import type { CompletePage } from './complete-page.js';
import { errorPage } from './error-page.js';
import { answerWith, type Answered } from './page-answer.js';
import { PageCache, type RenderedPage } from './page-cache.js';
import { PageStream } from './page-stream.js';
import { SiteLook } from './site-look.js';

/** Answers requests with pages, from the cache where one is there, and with a plain page where none can be made. */
@Injectable()
export class PageAnswers {
  private readonly logger = new Logger(PageAnswers.name);

  constructor(
    private readonly cache: PageCache,
    private readonly look: SiteLook,
    private readonly site: SiteService,
    private readonly metrics: Metrics,
  ) {}

  /** Sends the page at a path, which `render` makes if need be. */
  async send(request: FastifyRequest, reply: FastifyReply, path: string, render: () => Promise<RenderedPage>) {
    await this.answer(request, reply, path, () => this.find(request, path, render));
  }

  /** Sends a page that depends on more than its path: it is made for this request, and kept nowhere. */
  async sendOnce(request: FastifyRequest, reply: FastifyReply, path: string, render: () => Promise<CompletePage>) {
    await this.answer(request, reply, path, async () => ({ page: await render() }));
  }

  private async answer(request: FastifyRequest, reply: FastifyReply, path: string, find: () => Promise<Answered>) {
    try {
      await this.sendPage(request, reply, await find());
    } catch (error) {
      const isUnavailable = error instanceof DatabaseUnavailableError;
      this.logger.error({ err: error, path: toLoggedPath(path) }, 'A page could not be rendered');
      if (isUnavailable) {
        this.metrics.outages.add('database_unavailable');
        reply.header('retry-after', RETRY_AFTER_SECONDS);
      }
      await reply
        .status(isUnavailable ? 503 : 500)
        .headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
        .send(errorPage(this.look.of(this.site.current).styles, request.id, isUnavailable));
    }
  }

  /** A request with an Authorization header gets the same page, rendered for it and never taken from the cache. */
  private async find(
    { headers }: FastifyRequest,
    path: string,
    render: () => Promise<RenderedPage>,
  ): Promise<Answered> {
    if (headers.authorization === undefined) return this.cache.answer(path, render);
    return { page: (await render()).page };
  }

  private async sendPage(request: FastifyRequest, reply: FastifyReply, answered: Answered): Promise<void> {
    const { status, headers, body } = await answerWith(answered, request);
    if (answered.state) this.metrics.cachedPages.add(answered.state);
    if (body instanceof Readable && answered.page instanceof PageStream) this.reportBreak(request, answered.page);
    await reply.status(status).headers(headers).send(body);
  }

  /** From here on the connection breaks off when it fails: what came so far must not look like a page. */
  private reportBreak({ url }: FastifyRequest, page: PageStream): void {
    page.whole.catch((error: unknown) =>
      this.logger.error({ err: error, path: toLoggedPath(url) }, 'A page broke off while it was rendered'),
    );
  }
}
