import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiNotFoundResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Acting } from '../http/acting.decorator.js';
import { Admin } from '../http/admin.decorator.js';
import { Public } from '../http/public.decorator.js';
import { CurrentUser, type SignedInUser } from '../http/signed-in-user.js';
import { SettingsService } from '../settings/settings.service.js';
import type { Actor } from '../shared/actor.js';
import type { SettingsPreview } from '../shared/contracts/settings.js';
import { paths } from '../shared/paths.js';
import { SiteService } from '../site/site.service.js';
import { refusedPreviewPage } from './error-page.js';
import { PageAnswers } from './page-answers.js';
import { PageRenderer } from './page-renderer.js';
import { SiteLook } from './site-look.js';
import { SitePreviewAccess } from './site-preview-access.js';

/** Pages that depend on who asks, or on more than their address. */
const ELSEWHERE = /^\/(?:admin|auth|account|preview|search)(?:\/|$)/;

/** Public pages as the draft of a document of settings makes them; they are kept nowhere. */
@Controller()
export class SitePreviewController {
  constructor(
    private readonly access: SitePreviewAccess,
    private readonly settings: SettingsService,
    private readonly renderer: PageRenderer,
    private readonly answers: PageAnswers,
    private readonly look: SiteLook,
    private readonly site: SiteService,
  ) {}

  @Admin()
  @Post('api/admin/settings/:document/preview')
  @HttpCode(200)
  @ApiTags('settings')
  @ApiOperation({ summary: 'Let this browser see pages with the draft, for an hour at most' })
  @ApiNotFoundResponse({ description: '`settings_not_found`' })
  async open(
    @Acting() actor: Actor,
    @CurrentUser() { sessionId }: SignedInUser,
    @Param('document') document: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SettingsPreview> {
    await this.settings.requirePreview(actor, document);
    void reply.header('set-cookie', this.access.cookieFor(sessionId));
    return { path: `${paths.admin.sitePreview(document)}/` };
  }

  @Public()
  @ApiExcludeEndpoint()
  @Get(['admin/preview/:document', 'admin/preview/:document/*'])
  async getPage(
    @Param('document') document: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    void reply.headers({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' });
    if (!(await this.access.allows(request.headers.cookie))) {
      const page = refusedPreviewPage(this.look.of(this.site.current).styles);
      await reply.status(403).header('content-type', 'text/html; charset=utf-8').send(page);
      return;
    }
    const url = request.url.split('?')[0] ?? '';
    const path = `/${url.split('/').slice(4).join('/')}`;
    if (ELSEWHERE.test(path)) {
      await reply.redirect(path, 302);
      return;
    }
    const moment = await this.settings.previewMoment(document);
    const site = { ...moment.site, preview: document };
    await this.answers.sendOnce(request, reply, url, () => this.renderer.renderPreview(path, { ...moment, site }));
  }
}
