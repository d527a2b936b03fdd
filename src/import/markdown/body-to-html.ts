import { splitAtCode } from '../html-text.js';
import { replacePlayers, replaceProgress } from '../media-links.js';
import { markdownToHtml } from '../../shared/markdown-to-html.js';

const markdownInside = /(<([a-z][a-z0-9]*)\b[^<>]*\smarkdown\s*=\s*["']?(?:1|block|span|true)["']?[^<>]*>)[ \t]*\n/gi;

/** Elements that Vue and MDX let close themselves; in HTML they would take the rest of the text with them. */
const closedItself =
  /<(iframe|video|audio|script|style|object|textarea|select|button|canvas|title|noscript)\b((?:[^<>"'/]|"[^"]*"|'[^']*'|\/(?!>))*)\/>/gi;

/** The text of a post as HTML, in which players are links and bars are words; what was changed is added to the warnings. */
export function bodyToHtml(body: string, isHtml: boolean, warnings: string[]): string {
  const html = isHtml ? body : markdownToHtml(separateMarkdownInHtml(body)).replace(closedItself, '<$1$2></$1>');
  if (!/<(?:audio|video|progress|meter|noscript)[\s>]/i.test(html)) return html;
  const bars: string[] = [];
  const parts = splitAtCode(html).map(({ text, isRaw }) => {
    return isRaw ? text : replaceProgress(replacePlayers(withoutScripts(text), warnings), bars);
  });
  if (bars.length > 0) warnings.push(`bars of progress became text: ${[...new Set(bars)].slice(0, 5).join(', ')}`);
  return parts.join('');
}

/**
 * Shows what stands for a script where it does not run, as here. A picture stays hidden: it stands beside the one that
 * a script loads late.
 */
function withoutScripts(html: string): string {
  return html.replace(/<noscript>((?:(?!<\/?noscript|<img)[^]){0,2000})<\/noscript>/gi, '$1');
}

/** Elements of which kramdown reads the inside (`markdown="1"`), with an empty line where others begin to read it. */
function separateMarkdownInHtml(body: string): string {
  const names = new Set([...body.matchAll(markdownInside)].map(([, , name = '']) => name.toLowerCase()));
  if (names.size === 0) return body;
  const closing = new RegExp(`\\n([ \\t]*</(?:${[...names].join('|')})>)`, 'gi');
  return body.replace(markdownInside, '$1\n\n').replace(closing, '\n\n$1');
}
