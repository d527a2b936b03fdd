import { paths } from '../../../src/shared/paths.js';
import { linkTexts, type LinkType } from '../../content/accounts.js';
import type { LinkAnswer } from './link-answer.js';

/** A link from one of our mails, not yet spent. */
export interface MailLink {
  readonly tokenHash: string;
  readonly type: LinkType;
  /** The page of this site to go on to. */
  readonly next: string;
}

/** Result of pressing the button; 'leads-on' when the next page says everything. */
export type LinkOutcome = LinkAnswer | 'done' | 'leads-on';

function isLinkType(text: string | null): text is LinkType {
  return text !== null && Object.hasOwn(linkTexts, text);
}

/** Admits only pages of this site: the author of a link must not send people elsewhere through us. */
function nextPage(type: LinkType, redirectTo: string | null, ours: string): string {
  if (type === 'recovery' || type === 'invite') return paths.authNewPassword;
  if (!redirectTo || !URL.canParse(redirectTo, ours)) return paths.home;
  const { origin, pathname, search } = new URL(redirectTo, ours);
  // Two slashes in front would name another host.
  const isOurs = origin === ours && !pathname.startsWith('//') && !pathname.startsWith(paths.auth);
  return isOurs ? pathname + search : paths.home;
}

/**
 * Reads the query of the page that our mails link to.
 * @param ours the origin of this site
 * @returns null when it holds no link
 */
export function readLink(search: string, ours: string): MailLink | null {
  const params = new URLSearchParams(search);
  const tokenHash = params.get('token_hash');
  const type = params.get('type');
  if (!tokenHash || !isLinkType(type)) return null;
  return { tokenHash, type, next: nextPage(type, params.get('redirect_to'), ours) };
}
