import { Parser } from 'htmlparser2';
import { cleanCharacters } from '../shared/clean-characters.js';

/** A formula as it is drawn, or as its source where it could not be. */
const FORMULA =
  /<span class="ql-formula" data-value="([^"]*)">(?:<span class="katex">.*?<\/math><\/span>|[^<]*)<\/span>/gs;

/** A start tag; in sanitized content, no value of an attribute has a bracket. */
const START_TAG = /<[a-z][^<>]*>/g;

/** A link beside the post or to a place in it, but for footnotes. It is read as it is escaped, which addresses bear. */
const RELATIVE_LINK = / href="(?![a-z][a-z0-9+.-]*:|\/|#note-\d+(?:-place)?")([^"]*)"/gi;

/**
 * A rendered text for readers of the feed, far from this site: every address says where it leads, a formula is its TeX
 * source, as few of them draw MathML, and a video is a plain link. Files of ours keep their player, and the link to them.
 * Footnotes and their numbers lead to each other; headings have no ids here, so links to them lead to the page of the post.
 * @param html `content` of a post
 * @param siteUrl address of the site, ending in a slash
 * @param postUrl address of the page of the post
 */
export function toFeedContent(html: string, siteUrl: string, postUrl: string): string {
  // Of links as earlier releases stored them: one sign that no XML can hold would make all posts unreadable.
  return cleanCharacters(html)
    .replace(FORMULA, '<code>$1</code>')
    .replace(
      /<span class="video"><a href="([^"]*)"[^>]*>.*?<\/span>([^<]*)<\/span><span class="video-host">Plays from (\w+)<\/span><\/a><\/span>/gs,
      '<a href="$1">$2 ($3)</a>',
    )
    .replace(START_TAG, (tag) => withLooks(toWholeAddresses(tag, siteUrl, postUrl)));
}

/**
 * A title or an excerpt for readers of the feed, some of which take it for text, and others for HTML: where that makes a
 * difference it is escaped, so that nothing in it runs or vanishes. So is the end of a CDATA section, in which feeds have it:
 * their writer bears a single one, and a second would make the feed no XML.
 */
export function toFeedText(text: string): string {
  if (readAsHtml(text) === text && !text.includes(']]>')) return text;
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function readAsHtml(text: string): string {
  let read = '';
  new Parser({ ontext: (part) => (read += part) }).end(text);
  return read;
}

/** The signs before an item that is ticked off, and before one that is to be done. */
const BOXES = new Map([
  ['checked', '☑ '],
  ['unchecked', '☐ '],
]);

/** Says by itself what only the style sheet of this site reads from classes: direction, side, and what is ticked off. */
function withLooks(tag: string): string {
  const [, names = ''] = / class="([^"]*)"/.exec(tag) ?? [];
  const [, side] = /(?:^| )ql-align-(center|right|justify)(?: |$)/.exec(names) ?? [];
  const direction = / ql-direction-rtl /.test(` ${names} `) ? ' dir="rtl"' : '';
  const style = side === undefined || / style="/.test(tag) ? '' : ` style="text-align: ${side}"`;
  const [, list = ''] = /^<li\b[^>]* data-list="(\w+)"/.exec(tag) ?? [];
  return `${tag.replace(/>$/, `${direction}${style}>`)}${BOXES.get(list) ?? ''}`;
}

/** Text may look like an attribute, as in samples of code; it has no tags. */
function toWholeAddresses(tag: string, siteUrl: string, postUrl: string): string {
  return tag
    .replace(RELATIVE_LINK, (_match, address: string) => ` href="${URL.parse(address, postUrl)?.href ?? address}"`)
    .replace(
      / (src|href|srcset|poster)="(\/(?!\/)[^"]*)"/g,
      (_match, name: string, value: string) =>
        ` ${name}="${value.replace(/(^|,\s*)\//g, (_slash, before: string) => `${before}${siteUrl}`)}"`,
    );
}
