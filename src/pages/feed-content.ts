import { Parser } from 'htmlparser2';

/** A formula as it is drawn, or as its source where it could not be. */
const FORMULA =
  /<span class="ql-formula" data-value="([^"]*)">(?:<span class="katex">.*?<\/math><\/span>|[^<]*)<\/span>/gs;

/** A start tag; in sanitized content, no value of an attribute has a bracket. */
const START_TAG = /<[a-z][^<>]*>/g;

/**
 * A rendered text for readers of the feed, far from this site: every address says where it leads, a formula is its TeX
 * source, as few of them draw MathML, and a video is a plain link. Files of ours keep their player, and the link to them.
 * @param html `content` of a post
 * @param siteUrl address of the site, ending in a slash
 */
export function toFeedContent(html: string, siteUrl: string): string {
  return html
    .replace(FORMULA, '<code>$1</code>')
    .replace(
      /<span class="video"><a href="([^"]*)"[^>]*>.*?<\/span>([^<]*)<\/span><span class="video-host">Plays from (\w+)<\/span><\/a><\/span>/gs,
      '<a href="$1">$2 ($3)</a>',
    )
    .replace(START_TAG, (tag) => toWholeAddresses(tag, siteUrl));
}

/**
 * A title or an excerpt for readers of the feed, some of which take it for text, and others for HTML: where that makes a
 * difference it is escaped, so that nothing in it runs or vanishes.
 */
export function toFeedText(text: string): string {
  if (readAsHtml(text) === text) return text;
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function readAsHtml(text: string): string {
  let read = '';
  new Parser({ ontext: (part) => (read += part) }).end(text);
  return read;
}

/** Text may look like an attribute, as in samples of code; it has no tags. */
function toWholeAddresses(tag: string, siteUrl: string): string {
  return tag.replace(
    / (src|href|srcset|poster)="(\/(?!\/)[^"]*)"/g,
    (_match, name: string, value: string) =>
      ` ${name}="${value.replace(/(^|,\s*)\//g, (_slash, before: string) => `${before}${siteUrl}`)}"`,
  );
}
