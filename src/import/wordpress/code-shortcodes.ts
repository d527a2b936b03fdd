import { escapeHtml } from '../html-text.js';
import { readShortcodeAttributes } from '../shortcode-attributes.js';
import type { ShortcodeRules } from '../shortcode-rules.js';

/** Tags of SyntaxHighlighter, which WordPress.com has as well, Crayon and CodeColorer. */
const NAMES = 'sourcecode|source|code|crayon|cci|cce|cc|codesyntax';
/** SyntaxHighlighter takes the names of languages for tags. Those that are words of other plugins as well ('text', 'plain') are none here. */
const LANGUAGES =
  'actionscript3|as3|bash|shell|clojure|coldfusion|cpp|csharp|css|delphi|diff|patch|erlang|fsharp|go|groovy|haskell|html|xhtml|java|javafx|' +
  'javascript|jscript|js|json|lua|matlab|objc|obj-c|pascal|perl|php|powershell|python|py|rails|ruby|rb|scala|sql|swift|typescript|vbnet|vb|xml|xslt|yaml|yml';
const mark = new RegExp(
  `\\[(${NAMES}|${LANGUAGES})((?:\\s|=)[^\\[\\]]{0,500})?\\]|<(pre|code|script|style|textarea|svg|kbd|samp)(?=[\\s>/])`,
  'gi',
);
const names = new RegExp(`^(?:${NAMES})$`);
const attribute = /([\w-]{1,60})\s{0,5}=\s{0,5}(?:"([^"]*)"|'([^']*)'|([^\s"']+))|"([^"]*)"|'([^']*)'|(\S+)/g;

/**
 * Writes code that tags enclose as code: to all that is read after this it would be text, in which signs of code are tags, and what is
 * written like one is gone.
 */
export function placeCode(html: string, rules: ShortcodeRules | undefined): string {
  if (!html.includes('[/')) return html;
  const lower = html.toLowerCase();
  const pattern = new RegExp(mark);
  let placed = '';
  let at = 0;
  // What has no end from here on is not looked for again, or time would grow with the square of the length.
  const endless = new Set<string>();
  const endOf = (end: string, from: number) => {
    const found = endless.has(end) ? -1 : lower.indexOf(end, from);
    if (found < 0) endless.add(end);
    return found;
  };
  for (let match = pattern.exec(html); match !== null; match = pattern.exec(html)) {
    const [written, tag = '', attributes = '', element] = match;
    const start = match.index + written.length;
    if (element !== undefined) {
      const close = endOf(`</${element.toLowerCase()}`, start);
      if (close >= 0) pattern.lastIndex = close;
      continue;
    }
    const name = tag.toLowerCase();
    // The outer brackets of [[code]] say that the inner ones are words.
    if (html[match.index - 1] === '[' || rules?.find([name]) !== undefined) continue;
    const close = endOf(`[/${name}]`, start);
    if (close < 0) continue;
    placed += html.slice(at, match.index) + codeHtml(name, attributes, html.slice(start, close));
    at = pattern.lastIndex = close + name.length + 3;
  }
  return placed + html.slice(at);
}

function codeHtml(name: string, written: string, code: string): string {
  const { attributes, values } = readShortcodeAttributes(written.replace(/^=/, ''), attribute);
  const given = attributes.get('language') ?? attributes.get('lang') ?? values[0];
  const language = (given ?? (names.test(name) ? '' : name)).replace(/^["']|["']$/g, '').toLowerCase();
  const shown = /^[\w+#-]{1,30}$/.test(language) ? ` class="language-${language}"` : '';
  const isInline = name === 'cci' || attributes.get('inline') === 'true';
  if (isInline) return `<code>${toHtml(code.trim())}</code>`;
  return `\n\n<pre><code${shown}>${toHtml(code.replace(/^(?:[ \t]*\n)+|\s+$/g, ''))}</code></pre>\n\n`;
}

/** In a paragraph of the block editor, the lines of code end in breaks of HTML, the first one behind the tag. */
function withLines(code: string): string {
  const isBroken = /^\s*<br\s*\/?>/i.test(code) && !/[<>]/.test(code.replace(/<br\s*\/?>/gi, ''));
  return isBroken ? code.replace(/<br\s*\/?>\n?/gi, '\n').replace(/^\s*\n|\s+$/g, '') : code;
}

/** The plugins store code with its signs written out, so that what has none of them is HTML; in older texts code stands as it is. */
function toHtml(written: string): string {
  const code = withLines(written);
  return /[<>]/.test(code)
    ? escapeHtml(code)
    : code.replace(/&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});)/gi, '&amp;');
}
