import { Inject, Injectable, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailableError } from '../database/database-unavailable.js';
import { acceptedEncodings } from './accept-encoding.js';
import { CLIENT_BUNDLE, type ClientBundle } from './client-bundle.js';
import { isMatch, type CompletePage } from './complete-page.js';
import { errorPage } from './error-page.js';
import { PageCache, type FoundPage, type RenderedPage } from './page-cache.js';

/** Visitors who come back then find the site, if it was a restart of the database. */
const RETRY_AFTER_SECONDS = '5';

/** Answers requests with pages, from the cache where one is there, and with a plain page where none can be made. */
@Injectable()
export class PageAnswers {
  private readonly logger = new Logger(PageAnswers.name);

  constructor(
    private readonly cache: PageCache,
    @Inject(CLIENT_BUNDLE) private readonly bundle: ClientBundle,
  ) {}

  /** Sends the page at a path, which `render` makes if need be. */
  async send(request: FastifyRequest, reply: FastifyReply, path: string, render: () => Promise<RenderedPage>) {
    try {
      await sendPage(request, reply, await this.find(request, path, render));
    } catch (error) {
      const isUnavailable = error instanceof DatabaseUnavailableError;
      this.logger.error({ err: error, path }, 'A page could not be rendered');
      if (isUnavailable) reply.header('retry-after', RETRY_AFTER_SECONDS);
      await reply
        .status(isUnavailable ? 503 : 500)
        .headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
        .send(errorPage(this.bundle.assetsFor([]).styles, isUnavailable));
    }
  }

  /** Who shows who they are is answered the same, but never out of what others were shown. */
  private async find(
    { headers }: FastifyRequest,
    path: string,
    render: () => Promise<RenderedPage>,
  ): Promise<FoundPage | { readonly page: CompletePage; readonly state?: undefined }> {
    if (headers.authorization === undefined) return this.cache.answer(path, render);
    return { page: (await render()).page };
  }
}

/** Headers of a page that is as old as the database has been down; no shared cache may keep it. */
export const STALE_HEADERS = {
  'cache-control': 'no-store',
  warning: '110 - "Response is Stale"',
  'x-cache': 'stale',
} as const;

async function sendPage(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { page, state }: { readonly page: CompletePage; readonly state?: FoundPage['state'] | undefined },
): Promise<void> {
  reply.headers(page.headers);
  if (state === 'stale') reply.headers(STALE_HEADERS);
  else if (state) reply.header('x-cache', state);
  if (isMatch(headers['if-none-match'], page)) {
    await reply.removeHeader('content-type').status(304).send();
    return;
  }
  const encoding = await page.prepare(acceptedEncodings(headers['accept-encoding']));
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  await reply.status(page.status).send(page.bodyIn(encoding));
}
