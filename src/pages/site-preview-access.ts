import { Inject, Injectable } from '@nestjs/common';
import { SessionTicketsService } from '../auth/tokens/session-tickets.service.js';
import { CONFIG, type Config } from '../config/config.js';
import { readCookie } from '../http/read-cookie.js';
import { RolesService } from '../roles/roles.service.js';
import { paths } from '../shared/paths.js';

const PURPOSE = 'site preview';
const LIFETIME_SECONDS = 3600;
const PREVIEWS = paths.admin.sitePreview('').replace(/\/$/, '');

/**
 * Knows who may see pages with a draft. Browsers send no header Authorization for a page, so whoever may see them is given a
 * cookie for these addresses alone, and each page asks anew who that is.
 */
@Injectable()
export class SitePreviewAccess {
  private readonly isHttps: boolean;
  private readonly cookieName: string;

  constructor(
    private readonly tickets: SessionTicketsService,
    private readonly roles: RolesService,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.isHttps = config.site.url.startsWith('https:');
    this.cookieName = this.isHttps ? '__Secure-site_preview' : 'site_preview';
  }

  /** The header Set-Cookie for the browser of a session. */
  cookieFor(sessionId: string): string {
    return [
      `${this.cookieName}=${this.tickets.issue(PURPOSE, sessionId, LIFETIME_SECONDS)}`,
      `Path=${PREVIEWS}`,
      `Max-Age=${LIFETIME_SECONDS}`,
      'HttpOnly',
      'SameSite=Strict',
      ...(this.isHttps ? ['Secure'] : []),
    ].join('; ');
  }

  /** @param cookies the header Cookie of a request */
  async allows(cookies: string | undefined): Promise<boolean> {
    const ticket = readCookie(cookies, this.cookieName);
    const user = ticket === undefined ? null : await this.tickets.find(PURPOSE, ticket);
    if (user === null || (this.config.auth.mfa.isRequiredOfAdmins && user.aal !== 'aal2')) return false;
    return await this.roles.isAdmin(user.id);
  }
}
