import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { createClientAddress } from '../http/client-address.js';
import { createRequestIds, REQUEST_ID_HEADER } from '../http/request-id.js';
import { logWhenOver } from '../http/request-log.js';
import { Metrics } from '../metrics/metrics.js';
import { kindOfPath } from '../metrics/request-kinds.js';
import { acceptedEncodings, type Encoding } from './accept-encoding.js';
import { isMatch, type CompletePage } from './complete-page.js';
import { STALE_HEADERS } from './page-answers.js';
import { PageCache, type FoundPage } from './page-cache.js';

/** Headers as the server writes them: name, value, name, value. */
type HeaderList = readonly string[];

/** Answers with cached pages before the framework sees a request; everything else is left to it. */
@Injectable()
export class PageFront {
  private readonly heads = new WeakMap<CompletePage, Map<Encoding | 'unchanged', HeaderList>>();
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
    const { page } = found;
    const isUnchanged = isMatch(headers['if-none-match'], page);
    const encoding = isUnchanged ? 'unchanged' : page.choose(acceptedEncodings(headers['accept-encoding']));
    // A visitor who accepts only an encoding that is not there yet has to wait for it.
    if (encoding === undefined) return false;
    const id = this.identify(request);
    logWhenOver(request, response, begunAt, this.addressOf);
    const status = isUnchanged ? 304 : page.status;
    response.writeHead(status, [...this.headOf(found, encoding, this.commonHeaders), REQUEST_ID_HEADER, id]);
    if (method === 'HEAD' || encoding === 'unchanged') response.end();
    else response.end(page.bodyIn(encoding));
    this.metrics.cachedPages.add(found.state);
    this.metrics.answers.add(kindOfPath(address), status, performance.now() - begunAt);
    return true;
  }

  private headOf(
    { page, state }: FoundPage,
    encoding: Encoding | 'unchanged',
    common: Readonly<Record<string, string>>,
  ): HeaderList {
    if (state === 'stale') return toList({ ...common, ...headersIn(page, encoding), ...STALE_HEADERS });
    const heads = this.heads.get(page) ?? new Map<Encoding | 'unchanged', HeaderList>();
    const known = heads.get(encoding);
    if (known) return known;
    const head = toList({ ...common, ...headersIn(page, encoding), 'x-cache': 'hit' });
    this.heads.set(page, heads.set(encoding, head));
    return head;
  }
}

/** The address of a page that the request may be answered with, if it is kept; undefined for all other requests. */
function addressOf({ method, url = '/', headers }: IncomingMessage): string | undefined {
  if ((method !== 'GET' && method !== 'HEAD') || headers.authorization !== undefined) return undefined;
  const queryAt = url.indexOf('?');
  return queryAt < 0 ? url : url.slice(0, queryAt);
}

function headersIn(page: CompletePage, encoding: Encoding | 'unchanged'): Record<string, string> {
  const { 'content-type': type, ...rest } = page.headers;
  if (encoding === 'unchanged') return rest;
  return {
    ...(type === undefined ? {} : { 'content-type': type }),
    ...rest,
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    'content-length': String(page.bodyIn(encoding).length),
  };
}

function toList(headers: Readonly<Record<string, string>>): HeaderList {
  return Object.entries(headers).flat();
}
