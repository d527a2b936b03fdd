import type { Site } from '../../shared/contracts/site.js';
import type { MintedToken } from '../mail-job.js';

/** The page whose button spends a token. Programs that follow every link in a mail get no further than this page. */
const CONFIRMATION_PAGE = '/auth/confirm';

/** The address that the button of a mail leads to. */
export function authMailLink(token: MintedToken, site: Pick<Site, 'url'>): string {
  const url = new URL(token.verifyUrl ?? `${site.url}${CONFIRMATION_PAGE}`);
  url.searchParams.set(token.verifyUrl ? 'token' : 'token_hash', token.tokenHash);
  url.searchParams.set('type', token.verificationType);
  url.searchParams.set('redirect_to', token.redirectTo);
  return url.href;
}
