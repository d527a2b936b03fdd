import { Controller, Get, Header, Inject, NotFoundException, Param, Res, StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { addMonths, startOfMonth } from 'date-fns';
import { Public } from '../http/public.decorator.js';
import { FOR_OTHER_SITES } from '../http/security-headers.js';
import { filePaths, paths, SITE_STYLE_PATH } from '../shared/paths.js';
import { THEME_COLORS } from '../shared/theme-colors.js';
import { SiteService, toSiteStyle } from '../site/site.service.js';
import { CLIENT_BUNDLE, type ClientBundle } from './client-bundle.js';

const CACHE_CONTROL = 'public, max-age=86400';
/** For a file that never changes under its name. */
const KEPT_FOREVER = 'public, max-age=31536000, immutable';
/** RFC 9116 recommends less than a year; the date moves on by itself. */
const SECURITY_MONTHS = 6;

/** The small files that browsers and other programs look for: icons, the manifest, and whom to tell of a hole. */
@Public()
@ApiExcludeController()
@Controller()
export class SiteFilesController {
  constructor(
    private readonly site: SiteService,
    @Inject(CLIENT_BUNDLE) private readonly bundle: ClientBundle,
  ) {}

  @Get(filePaths.favicon)
  @Header('cache-control', CACHE_CONTROL)
  @Header('cross-origin-resource-policy', FOR_OTHER_SITES['cross-origin-resource-policy'])
  async getFavicon(): Promise<StreamableFile> {
    return new StreamableFile(await this.bundle.readAsset('favicon.ico'), { type: 'image/x-icon' });
  }

  @Get(filePaths.touchIcon)
  @Header('cache-control', CACHE_CONTROL)
  @Header('cross-origin-resource-policy', FOR_OTHER_SITES['cross-origin-resource-policy'])
  async getTouchIcon(): Promise<StreamableFile> {
    return new StreamableFile(await this.bundle.readAsset('apple-touch-icon.png'), { type: 'image/png' });
  }

  /** Web application manifest (W3C), for who puts the site on a home screen. */
  @Get(filePaths.manifest)
  @Header('cache-control', CACHE_CONTROL)
  @Header('content-type', 'application/manifest+json; charset=utf-8')
  getManifest(): string {
    return JSON.stringify({
      name: this.site.current.name,
      start_url: paths.home,
      display: 'browser',
      lang: 'en-US',
      background_color: THEME_COLORS.light,
      theme_color: THEME_COLORS.light,
      icons: [
        { src: this.bundle.addressOf('favicon.svg'), sizes: 'any', type: 'image/svg+xml' },
        { src: this.bundle.addressOf('icon-512.png'), sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
      ],
    });
  }

  /**
   * The company's own look, for pages that name files. Another process may have published it a moment ago, and pages of
   * before are open still: those get the look of now, which nobody keeps under that name.
   */
  @Get(`${SITE_STYLE_PATH}:name`)
  async getStyle(@Param('name') name: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const isNow = () => name === `${toSiteStyle(this.site.current)?.digest}.css`;
    if (!/^[0-9a-f]{16}\.css$/.test(name))
      throw new NotFoundException({ code: 'not_found', message: 'There is no such file.' });
    if (!isNow()) await this.site.refresh();
    // What is not found is told in another format.
    void reply.type('text/css; charset=utf-8').header('cache-control', isNow() ? KEPT_FOREVER : 'no-store');
    return toSiteStyle(this.site.current)?.text ?? '';
  }

  /** security.txt (RFC 9116). */
  @Get(filePaths.security)
  @Header('cache-control', CACHE_CONTROL)
  @Header('content-type', 'text/plain; charset=utf-8')
  getSecurityText(): string {
    const { email, url } = this.site.current;
    return `${[
      `Contact: mailto:${email}`,
      `Expires: ${startOfMonth(addMonths(new Date(), SECURITY_MONTHS)).toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${url}${filePaths.security}`,
    ].join('\n')}\n`;
  }
}
