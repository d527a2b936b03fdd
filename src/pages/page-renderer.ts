import { Inject, Injectable } from '@nestjs/common';
import { Metrics } from '../metrics/metrics.js';
import type { PageContext, PageOutput } from '../shared/contracts/pages.js';
import type { Site } from '../shared/contracts/site.js';
import { decodeEscapes } from '../shared/decode-escapes.js';
import { paths } from '../shared/paths.js';
import { SiteService, type SiteMoment } from '../site/site.service.js';
import { CLIENT_BUNDLE, type ClientBundle, type LoadedPage, type PageLoader } from './client-bundle.js';
import { CompletePage, etagOf } from './complete-page.js';
import { toLocation } from './moved-path.js';
import type { RenderedPage } from './page-cache.js';
import { ServerPageServices } from './page-services.js';
import { PageStream } from './page-stream.js';
import { SiteLook } from './site-look.js';

/**
 * Browsers ask every time, which costs a 304. Shared caches may answer for so many seconds without asking, so nothing
 * that was taken back is shown longer than that (docs/decisions/0023).
 */
export const PUBLIC_CACHE_CONTROL = 'public, max-age=0, s-maxage=5, must-revalidate';

/** A URL in, a page out. */
@Injectable()
export class PageRenderer {
  /** The part of the tags of pages that a build and a site have in common. */
  private readonly identities = new WeakMap<Site, string>();
  private loader: Promise<PageLoader> | undefined;

  constructor(
    @Inject(CLIENT_BUNDLE) private readonly bundle: ClientBundle,
    private readonly services: ServerPageServices,
    private readonly metrics: Metrics,
    private readonly site: SiteService,
    private readonly look: SiteLook,
  ) {}

  /**
   * Loads the page at a path: its head is known, its body is rendered on demand.
   * @throws what a page's data source throws
   */
  async render(path: string): Promise<RenderedPage> {
    const moment = this.site.now;
    const loaded = await this.load(path, moment);
    const move = loaded.status === 404 ? await this.services.findMove(path) : null;
    // It was published between the two questions.
    if (move?.address === path) return this.render(path);
    // Not kept where a pattern leads on: anybody can make up as many addresses as push all pages out of the cache.
    if (move !== null) return { page: redirectTo(move.address), isPublic: !move.isByPattern };
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': cacheControlOf(path, loaded),
      vary: 'accept-encoding',
      ...(loaded.isHidden ? { 'x-robots-tag': 'noindex' } : {}),
      etag: this.etagFor(path, moment.site, loaded),
    };
    return { page: this.toStream(moment.site, loaded, loaded.status, headers), isPublic: !loaded.isHidden };
  }

  /** Renders the page at a path for one request, with facts about only that request. It is never cached. */
  async renderOnce(path: string, status: number, context: PageContext): Promise<CompletePage> {
    const moment = this.site.now;
    const loaded = await this.load(path, moment, context);
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      ...(loaded.isHidden ? { 'x-robots-tag': 'noindex' } : {}),
      etag: '',
    };
    const page = this.toStream(moment.site, loaded, status, headers);
    page.start();
    return page.whole;
  }

  /** Renders a public page with another site than that of visitors. It is never cached. */
  async renderPreview(path: string, moment: SiteMoment): Promise<CompletePage> {
    const loaded = await this.load(path, moment);
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      etag: '',
    };
    const page = this.toStream(moment.site, loaded, loaded.status, headers);
    page.start();
    return page.whole;
  }

  /**
   * The one address of a page that has been asked for under another one: with a slash at the end, or in capitals. Null
   * when it is that address, and where no page can be. Which letters are escaped does not count: proxies change that.
   */
  async findOtherAddress(path: string): Promise<string | null> {
    // Looked for at the first of a row alone: anybody may ask for an address with thousands of slashes.
    const page = path.replace(/(?<=[^/])\/+$/, '');
    const spelled = (await this.getLoader()).spell(page);
    const address = spelled ?? page;
    if (decodeEscapes(address) === decodeEscapes(path)) return null;
    // Old addresses mostly end with a slash: who comes by one is sent on once, not twice. What is recorded for this very
    // spelling counts; pages are there although the database is not. Patterns come after pages: at the one spelling.
    if (spelled === null) return (await this.findRecorded(page, false)) ?? page;
    return (await this.findRecorded(page)) ?? (address === page ? null : await this.findRecorded(address)) ?? address;
  }

  /**
   * The address to which a recorded one leads; null without one, and while the database cannot say.
   * @param isFixed false where there is no page, so that patterns count as well
   */
  async findRecorded(address: string, isFixed = true): Promise<string | null> {
    const move = await this.services.findMove(address, isFixed).catch(() => null);
    return move?.address ?? null;
  }

  private async load(path: string, { site, texts }: SiteMoment, context?: PageContext): Promise<LoadedPage> {
    return (await this.getLoader()).load(`http://page${path}`, { site, edits: texts }, context);
  }

  private getLoader(): Promise<PageLoader> {
    this.loader ??= this.bundle.createLoader(this.services);
    return this.loader;
  }

  /** @param site that the page was loaded for: the policy of the answer is that of its look */
  private toStream(site: Site, page: LoadedPage, status: number, headers: PageStream['headers']): PageStream {
    const look = this.look.of(site);
    const assets = this.bundle.assetsFor(page.modules);
    return new PageStream({ status, headers: { ...headers, ...look.headers } }, (output) => {
      if (page.namesFiles) page.render({ ...assets, styles: look.styles }, null, this.count(output));
      else
        page.render(
          look.inlineTexts === null ? { ...assets, styles: look.styles } : assets,
          look.inlineTexts,
          this.count(output),
        );
    });
  }

  private count(output: PageOutput): PageOutput {
    return {
      write: (piece) => output.write(piece),
      end: () => {
        this.metrics.renderings.add('finished');
        output.end();
      },
      destroy: (error) => {
        this.metrics.renderings.add('failed');
        output.destroy(error);
      },
    };
  }

  /** A page is a function of the build, the site, the year in its footer, its address and its data. */
  private etagFor(path: string, site: Site, { dataText }: LoadedPage): string {
    return etagOf([this.identityOf(site), new Date().getFullYear(), path, dataText].join('\n'));
  }

  private identityOf(site: Site): string {
    const known = this.identities.get(site);
    if (known !== undefined) return known;
    const identity = etagOf(`${this.bundle.buildId}\n${JSON.stringify(site)}`);
    this.identities.set(site, identity);
    return identity;
  }
}

/** A preview is gone when its link is: nothing of it is kept anywhere. */
function cacheControlOf(path: string, { isHidden }: LoadedPage): string {
  if (path.startsWith(paths.preview(''))) return 'private, no-store';
  return isHidden ? 'private, no-cache' : PUBLIC_CACHE_CONTROL;
}

/** Not kept by browsers: a post may take an earlier address back. */
function redirectTo(target: string): CompletePage {
  const headers = { location: toLocation(target), 'cache-control': PUBLIC_CACHE_CONTROL };
  return new CompletePage({ status: 301, headers, body: Buffer.alloc(0) });
}
