import { Inject, Injectable, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailableError } from '../database/database-unavailable.js';
import { toLoggedPath } from '../http/logged-path.js';
import { Metrics } from '../metrics/metrics.js';
import { acceptedEncodings, type Encoding } from './accept-encoding.js';
import { CLIENT_BUNDLE, type ClientBundle } from './client-bundle.js';
import { CompletePage, isMatch } from './complete-page.js';
import { errorPage } from './error-page.js';
import { PageCache, type AnsweredPage, type RenderedPage } from './page-cache.js';
import { PageStream } from './page-stream.js';

/** Visitors who come back then find the site, if it was a restart of the database. */
const RETRY_AFTER_SECONDS = '5';

/** Answers requests with pages, from the cache where one is there, and with a plain page where none can be made. */
@Injectable()
export class PageAnswers {
  private readonly logger = new Logger(PageAnswers.name);

  constructor(
    private readonly cache: PageCache,
    @Inject(CLIENT_BUNDLE) private readonly bundle: ClientBundle,
    private readonly metrics: Metrics,
  ) {}

  /** Sends the page at a path, which `render` makes if need be. */
  async send(request: FastifyRequest, reply: FastifyReply, path: string, render: () => Promise<RenderedPage>) {
    try {
      await this.sendPage(request, reply, await this.find(request, path, render));
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
        .send(errorPage(this.bundle.assetsFor([]).styles, request.id, isUnavailable));
    }
  }

  /** A request with an Authorization header gets the same page, rendered for it and never taken from the cache. */
  private async find({ headers }: FastifyRequest, path: string, render: () => Promise<RenderedPage>): Promise<Answer> {
    if (headers.authorization === undefined) return this.cache.answer(path, render);
    return { page: (await render()).page };
  }

  private async sendPage(request: FastifyRequest, reply: FastifyReply, { page, state }: Answer): Promise<void> {
    const { headers, method } = request;
    const isUnchanged = isMatch(headers['if-none-match'], page);
    const accepted = acceptedEncodings(headers['accept-encoding']);
    // The best brotli is for those who come later. A head names the length, so it waits for the whole.
    const streamed = method === 'HEAD' ? undefined : accepted.find(isStreamed);
    if (!isUnchanged && page instanceof PageStream) await begin(page, streamed);
    reply.headers(page.headers);
    if (state) this.metrics.cachedPages.add(state);
    if (state === 'stale') reply.headers(STALE_HEADERS);
    else if (state) reply.header('x-cache', state);
    if (isUnchanged) {
      await reply.removeHeader('content-type').status(304).send();
      return;
    }
    const complete = page instanceof CompletePage ? page : page.complete;
    if (complete && (complete === page || streamed !== 'gzip')) return sendComplete(reply, complete, accepted);
    await this.sendStream(request, reply, page as PageStream, streamed ?? 'identity');
  }

  private async sendStream(
    { url }: FastifyRequest,
    reply: FastifyReply,
    page: PageStream,
    encoding: Exclude<Encoding, 'br'>,
  ): Promise<void> {
    // From here on the connection breaks off when it fails: what came so far must not look like a page.
    page.whole.catch((error: unknown) =>
      this.logger.error({ err: error, path: toLoggedPath(url) }, 'A page broke off while it was rendered'),
    );
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    await reply.status(page.status).send(page.open(encoding));
  }
}

/** An answer to a request; without a state where the cache was not asked. */
type Answer = AnsweredPage | { readonly page: CompletePage | PageStream; readonly state?: undefined };

/** Headers of a page that is as old as the database has been down; no shared cache may keep it. */
export const STALE_HEADERS = {
  'cache-control': 'no-store',
  warning: '110 - "Response is Stale"',
  'x-cache': 'stale',
} as const;

async function sendComplete(reply: FastifyReply, page: CompletePage, accepted: readonly Encoding[]): Promise<void> {
  const encoding = await page.prepare(accepted);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  await reply.status(page.status).send(page.bodyIn(encoding));
}

/** Waits until the head can be sent, because a failure before that becomes an error page. */
async function begin(page: PageStream, streamed: Encoding | undefined): Promise<void> {
  page.start();
  await (streamed === undefined ? page.whole : page.begun);
}

function isStreamed(encoding: Encoding): encoding is Exclude<Encoding, 'br'> {
  return encoding !== 'br';
}
