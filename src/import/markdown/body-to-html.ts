import { toPlainText } from '../../posts/content/plain-text.js';
import { separateMarkdownInHtml } from './markdown-in-html.js';
import { showEmojiPictures } from '../emoji-pictures.js';
import { splitAtCode } from '../html-text.js';
import { showLazyPictures } from '../lazy-pictures.js';
import { replacePlayers, replaceProgress } from '../media-links.js';
import type { MarkdownDialect } from '../../shared/markdown-extensions.js';
import { markdownToHtml } from '../../shared/markdown-to-html.js';

/** Elements that Vue and MDX let close themselves; in HTML they would take the rest of the text with them. */
const closedItself =
  /<(iframe|video|audio|script|style|object|textarea|select|button|canvas|title|noscript)\b((?:[^<>"'/]|"[^"]*"|'[^']*'|\/(?!>))*)\/>/gi;

/** The beginning of an element that takes all that follows, as text or as code, until its end. */
const endless = /<(script|style|title|textarea|pre|xmp|noembed|noframes|noscript|plaintext)(?=[\s>/])/i;

/** Characters of a footnote that a note quotes. */
const MAX_QUOTED = 150;

/** The text of a post as HTML, in which players are links and bars are words; what was changed is added to the warnings. */
export function bodyToHtml(body: string, isHtml: boolean, warnings: string[], dialect?: MarkdownDialect): string {
  const unused: string[] = [];
  const written = isHtml
    ? body
    : showEndlessTags(
        markdownToHtml(separateMarkdownInHtml(body), dialect, unused).replace(closedItself, '<$1$2></$1>'),
        warnings,
      );
  const html = showEmojiPictures(showLazyPictures(written));
  for (const note of unused)
    warnings.push(`a footnote to which nothing leads is left out, as it was there: ${shorten(note)}`);
  if (!/<(?:audio|video|progress|meter|noscript)[\s>]/i.test(html)) return html;
  const bars: string[] = [];
  const parts = splitAtCode(html).map(({ text, isRaw }) => {
    return isRaw ? text : replaceProgress(replacePlayers(withoutScripts(text), warnings), bars);
  });
  if (bars.length > 0) warnings.push(`bars of progress became text: ${[...new Set(bars)].slice(0, 5).join(', ')}`);
  return parts.join('');
}

function shorten(html: string): string {
  const text = toPlainText(html).replace(/\s+/g, ' ').trim();
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}...` : text;
}

/**
 * Makes text of tags that would take the rest of the post with them, as nothing closes them: they stand in a sentence about them, and
 * their generator leaves HTML out.
 */
function showEndlessTags(html: string, warnings: string[]): string {
  if (!endless.test(html)) return html;
  const lower = html.toLowerCase();
  const last = new Map<string, number>();
  return html.replace(
    new RegExp(`<!--[^]*?-->|${endless.source}`, 'gi'),
    (tag, name: string | undefined, at: number) => {
      if (name === undefined) return tag;
      const small = name.toLowerCase();
      const end = last.get(small) ?? lower.lastIndexOf(`</${small}`);
      last.set(small, end);
      if (end > at) return tag;
      warnings.push(`a tag that is never closed is shown as text: <${small}>`);
      return `&lt;${tag.slice(1)}`;
    },
  );
}

/**
 * Shows what stands for a script where it does not run, as here. A picture stays hidden: it stands beside the one that
 * a script loads late.
 */
function withoutScripts(html: string): string {
  return html.replace(/<noscript>((?:(?!<\/?noscript|<img)[^]){0,2000})<\/noscript>/gi, '$1');
}
