import { createHash } from 'node:crypto';
import { Transform, type Readable } from 'node:stream';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import type { PageContext } from '../shared/contracts/pages.js';
import { paths } from '../shared/paths.js';
import { toLoggedPath } from '../http/logged-path.js';
import { CLIENT_BUNDLE, type ClientBundle, type LoadedPage, type PageLoader } from './client-bundle.js';
import { PageCache, type CachedPage } from './page-cache.js';
import { ServerPageServices } from './page-services.js';

/** A rendering that takes longer is given up: its connection must not stay open for ever. */
const RENDER_TIMEOUT_MS = 10_000;

/** A page to answer with: complete, or as the stream of a rendering that has begun. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | Readable;
}

/** A URL in, a page out. */
@Injectable()
export class PageRenderer {
  private readonly logger = new Logger(PageRenderer.name);
  private loader: Promise<PageLoader> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLIENT_BUNDLE) private readonly bundle: ClientBundle,
    private readonly services: ServerPageServices,
    private readonly cache: PageCache,
  ) {}

  /**
   * The page at a path. Its status and headers are known before its first byte.
   * @param ifNoneMatch the visitor's copy; when it is still good the answer is 304 without a rendering
   * @throws what a page's data source throws, before anything is sent
   */
  async answer(path: string, ifNoneMatch: string | undefined): Promise<PageAnswer> {
    const cached = this.cache.get(path);
    if (cached) return isMatch(ifNoneMatch, cached.headers['etag']) ? notModified(cached.headers) : cached;
    const generation = this.cache.generation;
    const page = await this.load(path);
    const moved = page.status === 404 ? await this.services.findMovedPath(path) : null;
    if (moved !== null) return redirectTo(moved);
    const headers = this.headersOf(path, page);
    if (isMatch(ifNoneMatch, headers['etag'])) return notModified(headers);
    return this.render(path, page, headers, (whole) => this.keep(path, whole, generation));
  }

  /** The page at a path as the answer to one request, with what only that request is about. It is never kept. */
  async answerOnce(path: string, status: number, context: PageContext): Promise<PageAnswer> {
    const page = await this.load(path, context);
    const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
    return this.render(path, page, headers, () => undefined, status);
  }

  private async load(path: string, context?: PageContext): Promise<LoadedPage> {
    this.loader ??= this.bundle.createLoader(this.services, this.config.site);
    return (await this.loader).load(`http://page${path}`, context);
  }

  /** A page is a function of the build, its address and its data, so these make its ETag. */
  private headersOf(path: string, page: LoadedPage): Record<string, string> {
    const content = `${this.bundle.buildId}\n${path}\n${page.dataJson}`;
    return {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': cacheControlOf(path, page),
      ...(page.isHidden ? { 'x-robots-tag': 'noindex' } : {}),
      etag: `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`,
    };
  }

  /** Begins to stream as soon as the page's frame is there; a failure before that is thrown. */
  private render(
    path: string,
    page: LoadedPage,
    headers: Record<string, string>,
    handleWhole: (page: CachedPage) => void,
    status = page.status,
  ): Promise<PageAnswer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let hasFailed = false;
      const timer = setTimeout(
        () => stream.abort(new Error(`Rendering ${toLoggedPath(path)} took too long`)),
        RENDER_TIMEOUT_MS,
      );
      const stream = page.render(this.bundle.assetsFor(page.modules), {
        onShellReady: () => {
          const output = collecting(chunks, () => {
            if (!hasFailed && !page.isHidden) handleWhole({ status, headers, body: Buffer.concat(chunks) });
          });
          resolve({ status, headers, body: stream.pipe(output) });
        },
        onShellError: (error) => {
          clearTimeout(timer);
          reject(error instanceof Error ? error : new Error(String(error)));
        },
        onAllReady: () => clearTimeout(timer),
        onError: (error) => {
          hasFailed = true;
          this.logger.error({ err: error, path: toLoggedPath(path) }, 'A page failed while it was rendered');
        },
      });
    });
  }

  /** Only what exists is kept: unknown addresses must not push pages out. */
  private keep(path: string, page: CachedPage, generation: number): void {
    if (page.status === 200 && this.config.mode !== 'development') this.cache.set(path, page, generation);
  }
}

/** A preview is gone when its link is: nothing of it is kept anywhere. */
function cacheControlOf(path: string, { isHidden }: LoadedPage): string {
  if (path.startsWith(paths.preview(''))) return 'private, no-store';
  return isHidden ? 'private, no-cache' : 'public, max-age=0, must-revalidate';
}

/** Passes everything on and remembers it; `handleEnd` is called when all has passed. */
function collecting(chunks: Buffer[], handleEnd: () => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done(null, chunk);
    },
    flush(done) {
      handleEnd();
      done();
    },
  });
}

function isMatch(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (!ifNoneMatch || !etag) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
}

/** Not kept by browsers: a post may take an earlier address back. */
function redirectTo(path: string): PageAnswer {
  return { status: 301, headers: { location: path, 'cache-control': 'no-cache' }, body: Buffer.alloc(0) };
}

function notModified(headers: Readonly<Record<string, string>>): PageAnswer {
  const { 'content-type': _contentType, ...rest } = headers;
  return { status: 304, headers: rest, body: Buffer.alloc(0) };
}
