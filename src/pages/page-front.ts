import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { createClientAddress } from '../http/client-address.js';
import { createRequestIds, REQUEST_ID_HEADER } from '../http/request-id.js';
import { logWhenOver } from '../http/request-log.js';
import { Metrics } from '../metrics/metrics.js';
import { kindOfPath } from '../metrics/request-kinds.js';
import type { CompletePage } from './complete-page.js';
import { chooseForm, toAnswer, type PageAnswer, type PageForm } from './page-answer.js';
import { PageCache, type FoundPage } from './page-cache.js';
import { toNumberedAddress } from '../shared/numbered-address.js';

/** An answer whose headers are as the server writes them: name, value, name, value. */
interface ReadyAnswer {
  readonly status: number;
  readonly head: readonly string[];
  readonly body: PageAnswer['body'];
}

/** Answers with cached pages before the framework sees a request; everything else is left to it. */
@Injectable()
export class PageFront {
  private readonly answers = new WeakMap<CompletePage, Map<PageForm, ReadyAnswer>>();
  private commonHeaders: Readonly<Record<string, string>> | undefined;
  private readonly identify: ReturnType<typeof createRequestIds>;
  private readonly addressOf: ReturnType<typeof createClientAddress>;

  constructor(
    private readonly cache: PageCache,
    private readonly metrics: Metrics,
    @Inject(CONFIG) { server }: Config,
  ) {
    this.identify = createRequestIds(server);
    this.addressOf = createClientAddress(server);
  }

  /** Begins to answer, with these headers on every page. */
  open(commonHeaders: Readonly<Record<string, string>>): void {
    this.commonHeaders = commonHeaders;
  }

  /** Leaves everything to the framework, which knows how to end connections. */
  close(): void {
    this.commonHeaders = undefined;
  }

  /**
   * Answers the request if its page is cached, or will be as soon as the render in flight ends. Leaves all other
   * requests, and pages that turn out not to be cached, to `leave`.
   */
  handle(request: IncomingMessage, response: ServerResponse, leave: () => void): void {
    const begunAt = performance.now();
    const address = addressOf(request);
    if (address === undefined) return leave();
    if (this.send(address, request, response, begunAt)) return;
    const coming = this.cache.coming(address);
    if (!coming) return leave();
    void coming.then(() => this.send(address, request, response, begunAt) || leave());
  }

  /** Answers with a cached page. Returns false when there is none. */
  private send(address: string, request: IncomingMessage, response: ServerResponse, begunAt: number): boolean {
    const { headers, method } = request;
    const found = this.commonHeaders && this.cache.find(address);
    if (!this.commonHeaders || !found) return false;
    const form = chooseForm(found.page, headers);
    if (form === undefined) return false;
    const id = this.identify(request);
    logWhenOver(request, response, begunAt, this.addressOf);
    const { status, head, body } = this.answerOf(found, form, this.commonHeaders);
    response.writeHead(status, [...head, REQUEST_ID_HEADER, id]);
    if (method === 'HEAD' || body === undefined) response.end();
    else response.end(body);
    this.metrics.cachedPages.add(found.state);
    this.metrics.answers.add(kindOfPath(address), status, performance.now() - begunAt);
    return true;
  }

  /** The answer as it is written; put together once for each form of a page. */
  private answerOf({ page, state }: FoundPage, form: PageForm, common: Readonly<Record<string, string>>): ReadyAnswer {
    const ready = this.answers.get(page) ?? new Map<PageForm, ReadyAnswer>();
    const known = state === 'hit' ? ready.get(form) : undefined;
    if (known) return known;
    const { status, headers, body } = toAnswer(page, form, state);
    const answer = { status, head: Object.entries({ ...common, ...headers }).flat(), body };
    if (state === 'hit') this.answers.set(page, ready.set(form, answer));
    return answer;
  }
}

/** The address of a page that the request may be answered with, if it is kept; undefined for all other requests. */
function addressOf({ method, url = '/', headers }: IncomingMessage): string | undefined {
  if ((method !== 'GET' && method !== 'HEAD') || headers.authorization !== undefined) return undefined;
  // It may lead to a post; every other query says nothing.
  if (toNumberedAddress(url) !== null) return undefined;
  const queryAt = url.indexOf('?');
  return queryAt < 0 ? url : url.slice(0, queryAt);
}
