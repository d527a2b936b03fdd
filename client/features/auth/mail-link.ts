import { paths } from '../../../src/shared/paths.js';
import { linkTexts, type LinkType } from '../../content/accounts.js';
import type { LinkAnswer } from './link-answer.js';

/** A link from one of our mails, not yet spent. */
export interface MailLink {
  readonly tokenHash: string;
  readonly type: LinkType;
  /** The page of this site to go on to. */
  readonly next: string;
  /** State of that navigation: what the next page has to know. */
  readonly state: FirstPassword | null;
  /**
   * The address that another application asked for, null for links of this site. The server decides whether it is
   * allowed, and the session belongs to where the server leads.
   */
  readonly application: string | null;
}

/**
 * Result of pressing the button; 'leads-on' when the next page says everything, 'needs-code' when it would say nothing of
 * the second factor that is missing still.
 */
export type LinkOutcome = LinkAnswer | 'done' | 'leads-on' | 'needs-code';

/** State of a navigation to the page of passwords, for somebody who has none yet. */
export interface FirstPassword {
  readonly first: { /** The page to go on to. */ readonly then: string };
}

/** Returns true for the state of somebody who chooses their first password. */
export function isFirstPassword(state: unknown): state is FirstPassword {
  return typeof state === 'object' && state !== null && 'first' in state;
}

/** Stands before the token of a link that ends in a code (RFC 7636), for which no page of ours asks. */
const PKCE_PREFIX = 'pkce_';

function isLinkType(text: string | null): text is LinkType {
  return text !== null && Object.hasOwn(linkTexts, text);
}

/**
 * The page that a link of this site leads on to. Admits no others: the author of a link must not send people elsewhere
 * through us.
 */
export function nextPage(type: LinkType, target: URL | null, ours: string): string {
  if (type === 'recovery' || type === 'invite') return paths.authNewPassword;
  return toOwnPage(target, ours);
}

/** Returns the page behind a target that is ours, or home. */
function toOwnPage(target: URL | null, ours: string): string {
  if (target?.origin !== ours) return paths.home;
  const { pathname, search } = target;
  // Two slashes in front would name another host.
  return pathname.startsWith('//') || pathname.startsWith(paths.auth) ? paths.home : pathname + search;
}

/** Returns what the next page has to know: after an invitation, that there is no password yet, and where they are led. */
export function nextState(type: LinkType, target: URL | null, ours: string): FirstPassword | null {
  return type === 'invite' ? { first: { then: toOwnPage(target, ours) } } : null;
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
  const redirectTo = params.get('redirect_to') ?? '';
  // As parseUrl does, in whose file the page would load more than it may. Without a text, it is our first page.
  let target: URL | null = null;
  try {
    target = new URL(redirectTo, ours);
  } catch {
    // Home, as nothing else is named.
  }
  const isOurs = (target === null || target.origin === ours) && !tokenHash.startsWith(PKCE_PREFIX);
  return {
    tokenHash,
    type,
    next: nextPage(type, target, ours),
    state: nextState(type, target, ours),
    application: isOurs ? null : redirectTo,
  };
}
