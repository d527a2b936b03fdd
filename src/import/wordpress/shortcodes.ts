import { readVideoAddress } from '../../shared/video-address.js';
import { gridFigure } from '../gallery.js';
import { escapeHtml, splitAtCode } from '../html-text.js';
import { isShownInFrames, linkTo, playerHtml, playerKindOf, videoHtml } from '../media-links.js';
import { placeBracketNotes } from './bracket-notes.js';
import type { WordPressAttachment } from './wordpress-site.js';
import { fillTemplate, TagNotes, type ShortcodeRule, type ShortcodeRules } from '../shortcode-rules.js';
import { readShortcodeAttributes, type ShortcodeAttributes } from '../shortcode-attributes.js';

/** The post and pictures to which shortcodes may refer. */
export interface ShortcodeContext {
  /** The pictures of a gallery that names none: those that were uploaded for the post. */
  readonly postId: string;
  readonly attachments: ReadonlyMap<string, WordPressAttachment>;
  readonly warnings: string[];
  /** Rules of the operator for tags. */
  readonly rules?: ShortcodeRules | undefined;
  /** Takes in the hosts whose pages WordPress shows in frames, and of which links are made. */
  readonly shownThere?: Set<string>;
}

interface Shortcode extends ShortcodeAttributes {
  readonly name: string;
  /** Enclosed text; empty when there is none. */
  readonly content: string;
}

type Render = (shortcode: Shortcode, context: ShortcodeContext) => string | null;

/** Tags of WordPress.com and plugins that show what another site has, by its address or a name there. */
const ofAddresses =
  'youtube vimeo dailymotion facebook flickr gist googlemaps instagram pinterest slideshare soundcloud spotify ted tweet twitter'.split(
    ' ',
  );
/** Tags of plugins for footnotes, which enclose the note in its place. */
const ofNotes = ['efn_note', 'fn', 'footnote', 'mfn', 'modern_footnote', 'ref'];

const renderers: ReadonlyMap<string, Render> = new Map<string, Render>([
  ['caption', renderCaption],
  ['wp_caption', renderCaption],
  ['gallery', renderGallery],
  ['playlist', renderPlaylist],
  ['embed', renderEmbed],
  ...ofAddresses.map((name): [string, Render] => [name, renderEmbed]),
  ['audio', renderMedia],
  ['video', renderMedia],
  ...ofNotes.map((name): [string, Render] => [name, renderNote]),
]);
/** Those that enclose something when there is an end for them. */
const enclosing = new Set(['caption', 'wp_caption', 'embed', 'audio', 'video', ...ofAddresses, ...ofNotes]);

const opening = /\[([a-z][\w-]{1,50})(?:[=\s]([^[\]\uFDD0]{0,4000}))?\]/gi;
const attributePattern = /([\w-]{1,60})\s{0,5}=\s{0,5}(?:"([^"]*)"|'([^']*)'|([^\s"']+))|"([^"]*)"|'([^']*)'|(\S+)/g;

/** Brackets with an attribute or an address in them, or with a name that is no word. */
const looksLikeTag = /^\[(?:[^\s\]]*[_-]|[^\]]*=|[^\]]*\shttps?:)/;

/** Deeper than page builders nest; what is further in stays as it is written. */
const MAX_DEPTH = 30;
/** No sign of any text: stands for code while shortcodes are read, which may enclose it. */
const mask = '\uFDD0';

/**
 * Replaces shortcodes: as the rules of the operator say, else those that WordPress itself has by what they stand for.
 * Those of plugins stay in the text and are named in a warning, as do ours that lead nowhere. Code is left alone.
 */
export function expandShortcodes(html: string, context: ShortcodeContext): string {
  if (!html.includes('[') && !html.includes('((')) return html;
  const code: string[] = [];
  const parts = splitAtCode(html.replaceAll(mask, '')).map(({ text, isRaw }) =>
    isRaw ? `${mask}${code.push(text) - 1}${mask}` : text,
  );
  const notes = new TagNotes();
  const noted = placeBracketNotes(parts.join(''), context.rules, notes);
  const expanded = expandPart(noted, context, notes, 1);
  context.warnings.push(...notes.list());
  return expanded.replace(/\uFDD0(\d+)\uFDD0/g, (_all, index: string) => code[Number(index)] ?? '');
}

function expandPart(text: string, context: ShortcodeContext, notes: TagNotes, depth: number): string {
  if (!text.includes('[') || depth > MAX_DEPTH) return text;
  const lower = text.toLowerCase();
  const pattern = new RegExp(opening);
  const ends = new Set([...lower.matchAll(/\[\/([a-z][\w-]{1,50})\]/g)].map(([, name]) => name));
  let expanded = '';
  let at = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const name = (match[1] ?? '').toLowerCase();
    const end = match.index + match[0].length;
    const ruled = context.rules?.find([name]);
    const isEnclosing = ruled !== undefined || enclosing.has(name);
    const close = isEnclosing && ends.has(name) ? lower.indexOf(`[/${name}]`, end) : -1;
    const last = close < 0 || text[end] === ']' ? end : close + name.length + 3;
    const isEscaped = text[match.index - 1] === '[' && text[last] === ']';
    const rule = isEscaped ? undefined : ruled;
    // What has no end from here on is not looked for again, or time would grow with the square of the length.
    const hasEnd = ends.has(name);
    if (close < 0 && isEnclosing) ends.delete(name);
    const shortcode = {
      name,
      ...readShortcodeAttributes(match[2] ?? '', attributePattern),
      content: close < 0 ? '' : text.slice(end, close),
    };
    const renderOwn = () => renderers.get(name)?.(shortcode, context) ?? null;
    const html = isEscaped
      ? null
      : rule === undefined
        ? renderOwn()
        : applyRule(rule, shortcode, notes, (inner) => expandPart(inner, context, notes, depth + 1));
    if (isEscaped && renderers.has(name)) {
      // The outer brackets say that the inner ones are words.
      expanded += text.slice(at, match.index - 1) + text.slice(match.index, last);
      at = pattern.lastIndex = last + 1;
      continue;
    }
    if (html === null && isEmptyThere(shortcode, context)) {
      context.warnings.push(`the tag [${name}] shows nothing there and was left out`);
      expanded += text.slice(at, match.index);
      at = pattern.lastIndex = close < 0 ? end : close + name.length + 3;
      continue;
    }
    if (html === null) {
      // Words in brackets are none, unless they look like a tag or have an end.
      const isTag = hasEnd || renderers.has(name) || looksLikeTag.test(match[0]) || isAlone(text, match.index, end);
      if (!isEscaped && isTag) {
        notes.add(`the tag [${name}] was left in the text`);
      }
      continue;
    }
    expanded += text.slice(at, match.index) + html;
    at = pattern.lastIndex = close < 0 ? end : close + name.length + 3;
  }
  return expanded + text.slice(at);
}

/** Returns true for what has its line or its paragraph for itself. */
function isAlone(text: string, start: number, end: number): boolean {
  return (
    /(?:^|\n|<p(?:\s[^<>]*)?>|-->)[ \t]*$/.test(text.slice(Math.max(0, start - 200), start)) &&
    /^[ \t]*(?:\n|$|<\/p>|<!--)/.test(text.slice(end, end + 20))
  );
}

function applyRule(
  rule: ShortcodeRule,
  { name, attributes, values, content }: Shortcode,
  notes: TagNotes,
  expand: (inner: string) => string,
): string {
  if (rule === 'drop') {
    notes.add(`the tag [${name}] was dropped, as --shortcodes says`);
    return '';
  }
  const inner = expand(content);
  if (rule !== 'keep inner') return fillTemplate(rule.text, { attributes, values, inner });
  notes.add(`the tag [${name}] was taken off, as --shortcodes says`);
  return inner;
}

/** A picture with words below it; in old posts they are an attribute, in newer ones they follow the picture. */
function renderCaption({ attributes, content }: Shortcode): string | null {
  const picture = /^\s*(?:<a\s[^<>]*>\s*<img\s[^<>]*>\s*<\/a>|<img\s[^<>]*>)/i.exec(content)?.[0];
  if (picture === undefined) return content.trim() === '' ? null : `\n\n${content.trim()}\n\n`;
  const caption = attributes.get('caption') ?? content.slice(picture.length);
  const words = caption.trim().replace(/\n+/g, ' ');
  return `\n\n<figure>${picture.trim()}${words === '' ? '' : `<figcaption>${words}</figcaption>`}</figure>\n\n`;
}

/** True for what has nothing to show at the old site: it names no file, or only files that its library does not have. */
function isEmptyThere({ name, attributes, values, content }: Shortcode, { attachments }: ShortcodeContext): boolean {
  if (name === 'gallery' || name === 'playlist') return attachments.size > 0 || idsOf(attributes).length === 0;
  return (name === 'audio' || name === 'video') && attributes.size + values.length === 0 && content.trim() === '';
}

function idsOf(attributes: ShortcodeAttributes['attributes'], names = ['ids', 'include']): string[] {
  const written = names.map((name) => attributes.get(name)).find((value) => value !== undefined) ?? '';
  return written
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}

/** The files that were uploaded for a post, in the order of its library. */
function uploadedFor(
  { postId, attachments }: ShortcodeContext,
  attributes: ShortcodeAttributes['attributes'],
): WordPressAttachment[] {
  const excluded = new Set(idsOf(attributes, ['exclude']));
  const files = [...attachments.values()].filter(({ parent, id }) => parent === postId && !excluded.has(id));
  files.sort((a, b) => a.order - b.order || Number(a.id) - Number(b.id));
  return /^desc$/i.test(attributes.get('order') ?? '') ? files.reverse() : files;
}

function renderGallery({ attributes }: Shortcode, context: ShortcodeContext): string | null {
  const { attachments, warnings } = context;
  const named = idsOf(attributes);
  const missing = named.filter((id) => !attachments.has(id));
  if (missing.length > 0) warnings.push(`pictures of a gallery are not in the file: ${missing.join(', ')}`);
  const pictures =
    named.length > 0
      ? named.flatMap((id) => attachments.get(id) ?? [])
      : uploadedFor(context, attributes).filter(({ address }) => isPicture(address));
  if (pictures.length === 0) return null;
  return `\n\n${pictures.map(toPicture).join('\n')}\n\n`;
}

function isPicture(address: string): boolean {
  return /\.(?:jpe?g|png|gif|webp|avif)(?:[?#]|$)/i.test(address);
}

/** Sound, or films, one after another, each with the name that the library has for it. */
function renderPlaylist({ attributes }: Shortcode, context: ShortcodeContext): string | null {
  const { attachments, warnings } = context;
  const named = idsOf(attributes);
  const kind = attributes.get('type') === 'video' ? 'video' : 'audio';
  const missing = named.filter((id) => !attachments.has(id));
  if (missing.length > 0) warnings.push(`files of a playlist are not in the file: ${missing.join(', ')}`);
  const files =
    named.length > 0
      ? named.flatMap((id) => attachments.get(id) ?? [])
      : uploadedFor(context, attributes).filter(({ address }) => playerKindOf(address) === kind);
  if (files.length === 0) return null;
  return `\n\n${files.map(({ address, title }) => playerHtml(kind, address, { title })).join('\n')}\n\n`;
}

function toPicture({ address, alt, captionHtml }: WordPressAttachment): string {
  const picture = `<img src="${escapeHtml(address)}" alt="${escapeHtml(alt ?? '')}">`;
  return gridFigure(picture, captionHtml.trim());
}

function renderEmbed(
  { name, values, attributes, content }: Shortcode,
  { shownThere }: ShortcodeContext,
): string | null {
  const named = ['src', 'url', 'id'].map((key) => attributes.get(key)).find(Boolean);
  const written = (content.trim() || named || values[0] || '').trim();
  const value = written.replace(/^=/, '').replaceAll('&amp;', '&').replaceAll('&#038;', '&');
  const address = /^https?:\/\/[^\s<>"]+$/.test(value) ? value : toAddress(name, value);
  if (address === null) return null;
  if (readVideoAddress(address) !== null) return `\n\n${videoHtml(address)}\n\n`;
  if (isShownInFrames(address)) shownThere?.add(new URL(address).host);
  return `\n\n<p>${linkTo(address, address)}</p>\n\n`;
}

function toAddress(name: string, id: string): string | null {
  if (!/^[\w-]{1,30}$/.test(id)) return null;
  if (name === 'youtube') return `https://www.youtube.com/watch?v=${id}`;
  if (name === 'dailymotion') return `https://www.dailymotion.com/video/${id}`;
  if (name === 'gist') return `https://gist.github.com/${id}`;
  return name === 'vimeo' ? `https://vimeo.com/${id}` : null;
}

/** A footnote is in a line of its post. */
function renderNote({ content }: Shortcode): string | null {
  const note = content.trim().replace(/\s*\n\s*/g, ' ');
  return note === '' || /<(?:p|div|ul|ol|table|blockquote)[\s>]/i.test(note)
    ? null
    : `<span class="ql-footnote">${note}</span>`;
}

function renderMedia({ name, attributes, values }: Shortcode, context: ShortcodeContext): string | null {
  const names = ['src', 'mp3', 'm4a', 'ogg', 'wav', 'mp4', 'm4v', 'webm', 'ogv', 'flv', 'wmv'];
  const written =
    names.map((key) => attributes.get(key)).find((value) => value !== undefined) ?? values[0]?.split('|')[0];
  // One that names no file plays the first one that was uploaded for its post.
  const uploaded = attributes.size + values.length > 0 ? [] : uploadedFor(context, attributes);
  const address = written ?? uploaded.find((file) => playerKindOf(file.address) === name)?.address;
  if (address === undefined || !/^https?:\/\/[^\s<>"]+$/.test(address)) return null;
  const video = readVideoAddress(address);
  if (video !== null) return `\n\n${videoHtml(address)}\n\n`;
  const poster = attributes.get('poster');
  return `\n\n${playerHtml(name === 'audio' ? 'audio' : 'video', address, { poster })}\n\n`;
}
