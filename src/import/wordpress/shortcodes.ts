import { readVideoAddress } from '../../shared/video-address.js';
import { escapeHtml, splitAtCode } from '../html-text.js';
import { linkTo, videoHtml } from '../media-links.js';
import type { WordPressAttachment } from './wordpress-site.js';
import { readShortcodeAttributes, type ShortcodeAttributes } from '../shortcode-attributes.js';

/** The post and pictures to which shortcodes may refer. */
export interface ShortcodeContext {
  /** The pictures of a gallery that names none: those that were uploaded for the post. */
  readonly postId: string;
  readonly attachments: ReadonlyMap<string, WordPressAttachment>;
  readonly warnings: string[];
}

interface Shortcode extends ShortcodeAttributes {
  readonly name: string;
  /** Enclosed text; empty when there is none. */
  readonly content: string;
}

type Render = (shortcode: Shortcode, context: ShortcodeContext) => string | null;

const renderers: ReadonlyMap<string, Render> = new Map<string, Render>([
  ['caption', renderCaption],
  ['wp_caption', renderCaption],
  ['gallery', renderGallery],
  ['embed', renderEmbed],
  ['youtube', renderEmbed],
  ['vimeo', renderEmbed],
  ['audio', renderMedia],
  ['video', renderMedia],
]);
/** Those that enclose something when there is an end for them. */
const enclosing = new Set(['caption', 'wp_caption', 'embed', 'audio', 'video', 'youtube', 'vimeo']);

const opening = /\[([a-z][\w-]{1,50})(?:[=\s]([^[\]]{0,4000}))?\]/gi;
const attributePattern = /([\w-]{1,60})\s{0,5}=\s{0,5}(?:"([^"]*)"|'([^']*)'|([^\s"']+))|"([^"]*)"|'([^']*)'|(\S+)/g;

/**
 * Replaces the shortcodes that WordPress itself has by what they stand for. Those of plugins stay in the text and are
 * named in a warning, as do ours that lead nowhere. Code is left alone.
 */
export function expandShortcodes(html: string, context: ShortcodeContext): string {
  const unknown = new Set<string>();
  const parts = splitAtCode(html).map(({ text, isRaw }) => (isRaw ? text : expandPart(text, context, unknown)));
  if (unknown.size > 0) {
    const names = [...unknown].slice(0, 20).map((name) => `[${name}]`);
    context.warnings.push(`shortcodes were left in the text: ${names.join(', ')}`);
  }
  return parts.join('');
}

function expandPart(text: string, context: ShortcodeContext, unknown: Set<string>): string {
  if (!text.includes('[')) return text;
  const lower = text.toLowerCase();
  const pattern = new RegExp(opening);
  const ends = new Set([...lower.matchAll(/\[\/([a-z][\w-]{1,50})\]/g)].map(([, name]) => name));
  let expanded = '';
  let at = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const name = (match[1] ?? '').toLowerCase();
    const end = match.index + match[0].length;
    const isEscaped = text[match.index - 1] === '[' && text[end] === ']';
    const close = enclosing.has(name) && ends.has(name) ? lower.indexOf(`[/${name}]`, end) : -1;
    // What has no end from here on is not looked for again, or time would grow with the square of the length.
    const hasEnd = ends.has(name);
    if (close < 0 && enclosing.has(name)) ends.delete(name);
    const shortcode = {
      name,
      ...readShortcodeAttributes(match[2] ?? '', attributePattern),
      content: close < 0 ? '' : text.slice(end, close),
    };
    const html = isEscaped ? null : (renderers.get(name)?.(shortcode, context) ?? null);
    if (html === null) {
      // Words in brackets are none, unless they have attributes or an end.
      if (!isEscaped && (hasEnd || renderers.has(name) || match[0].includes('='))) unknown.add(name);
      continue;
    }
    expanded += text.slice(at, match.index) + html;
    at = pattern.lastIndex = close < 0 ? end : close + name.length + 3;
  }
  return expanded + text.slice(at);
}

/** A picture with words below it; in old posts they are an attribute, in newer ones they follow the picture. */
function renderCaption({ attributes, content }: Shortcode): string | null {
  const picture = /^\s*(?:<a\s[^<>]*>\s*<img\s[^<>]*>\s*<\/a>|<img\s[^<>]*>)/i.exec(content)?.[0];
  if (picture === undefined) return content.trim() === '' ? null : `\n\n${content.trim()}\n\n`;
  const caption = attributes.get('caption') ?? content.slice(picture.length);
  const words = caption.trim().replace(/\n+/g, ' ');
  return `\n\n<figure>${picture.trim()}${words === '' ? '' : `<figcaption>${words}</figcaption>`}</figure>\n\n`;
}

function renderGallery({ attributes }: Shortcode, { postId, attachments, warnings }: ShortcodeContext): string | null {
  const ids = (attributes.get('ids') ?? attributes.get('include') ?? '').split(',').map((id) => id.trim());
  const named = ids.filter((id) => id !== '');
  const missing = named.filter((id) => !attachments.has(id));
  if (missing.length > 0) warnings.push(`pictures of a gallery are not in the file: ${missing.join(', ')}`);
  const pictures =
    named.length > 0
      ? named.flatMap((id) => attachments.get(id) ?? [])
      : [...attachments.values()].filter(({ parent, address }) => parent === postId && isPicture(address));
  if (pictures.length === 0) return null;
  return `\n\n${pictures.map(toPicture).join('\n')}\n\n`;
}

function isPicture(address: string): boolean {
  return /\.(?:jpe?g|png|gif|webp|avif)(?:[?#]|$)/i.test(address);
}

function toPicture({ address, alt }: WordPressAttachment): string {
  return `<figure><img src="${escapeHtml(address)}" alt="${escapeHtml(alt ?? '')}"></figure>`;
}

function renderEmbed({ name, values, attributes, content }: Shortcode): string | null {
  const written = (content.trim() || attributes.get('src') || attributes.get('id') || values[0] || '').trim();
  const value = written.replace(/^=/, '').replaceAll('&amp;', '&').replaceAll('&#038;', '&');
  const address = /^https?:\/\/[^\s<>"]+$/.test(value) ? value : toAddress(name, value);
  if (address === null) return null;
  return `\n\n${readVideoAddress(address) === null ? `<p>${linkTo(address, address)}</p>` : videoHtml(address)}\n\n`;
}

function toAddress(name: string, id: string): string | null {
  if (!/^[\w-]{1,30}$/.test(id)) return null;
  if (name === 'youtube') return `https://www.youtube.com/watch?v=${id}`;
  return name === 'vimeo' ? `https://vimeo.com/${id}` : null;
}

function renderMedia({ name, attributes, values }: Shortcode, { warnings }: ShortcodeContext): string | null {
  const names = ['src', 'mp3', 'm4a', 'ogg', 'wav', 'mp4', 'm4v', 'webm', 'ogv', 'flv', 'wmv'];
  const address = names.map((key) => attributes.get(key)).find((value) => value !== undefined) ?? values[0];
  if (address === undefined || !/^https?:\/\/[^\s<>"]+$/.test(address)) return null;
  const video = readVideoAddress(address);
  if (video !== null) return `\n\n${videoHtml(address)}\n\n`;
  warnings.push(`the ${name} ${address} became a link`);
  return `\n\n<p>${linkTo(address)}</p>\n\n`;
}
