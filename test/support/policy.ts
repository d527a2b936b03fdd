import { createHash } from 'node:crypto';
import { DomUtils } from 'htmlparser2';
import { HtmlPage } from './html.js';

/** The sources that a content security policy allows for a kind of element. */
function sourcesOf(policy: string, directive: string): readonly string[] {
  const found = policy.split('; ').find((part) => part.startsWith(`${directive} `));
  return found?.split(' ').slice(1) ?? [];
}

/** The texts of the style elements and the scripts, JSON aside, that stand in a document. */
export function findInlineTexts(html: string): { readonly styles: string[]; readonly scripts: string[] } {
  const page = new HtmlPage(html);
  const scripts = page.all('script').filter(({ attribs }) => !attribs['src'] && !attribs['type']?.endsWith('json'));
  return {
    styles: page.all('style').map((element) => DomUtils.textContent(element)),
    scripts: scripts.map((element) => DomUtils.textContent(element)),
  };
}

/** Finds the style elements and scripts of a document that the policy of its own answer forbids. */
export function findForbidden(html: string, policy: unknown): string[] {
  const { styles, scripts } = findInlineTexts(html);
  const isForbidden = (directive: string) => (text: string) =>
    !sourcesOf(String(policy), directive).includes(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  return [...styles.filter(isForbidden('style-src')), ...scripts.filter(isForbidden('script-src'))];
}
