import { decodeEscapes } from '../shared/decode-escapes.js';
import { readVideoAddress } from '../shared/video-address.js';
import { escapeHtml, splitAtCode, unescapeHtml } from './html-text.js';

const bareLine = /^([ \t]*(?:<p>)?[ \t]*)(https?:\/\/[^\s<>"[\]]{1,2000})([ \t]*(?:<\/p>)?[ \t]*)$/;
const playerTag = /<(audio|video)(?=[\s>/])([^<>]*)>/gi;

/** The player of a video on a host that posts may show. */
export function videoHtml(address: string): string {
  const video = readVideoAddress(address);
  return video === null ? '' : `<iframe src="${escapeHtml(video.player)}" title="${video.host} video"></iframe>`;
}

/** A link; it is called what the file that it leads to is called unless it is said otherwise. */
export function linkTo(address: string, words = fileName(address)): string {
  return `<a href="${escapeHtml(address)}">${escapeHtml(words)}</a>`;
}

/**
 * Addresses in lines of their own, which WordPress shows as what they lead to, as players or links.
 * @param shownThere takes in the hosts whose pages WordPress shows in frames, and of which links are made
 */
export function expandBareAddresses(html: string, shownThere?: Set<string>): string {
  if (!/https?:\/\//.test(html)) return html;
  const parts = splitAtCode(html).map(({ text, isRaw }) => {
    if (isRaw) return text;
    return text
      .split('\n')
      .map((line) => expandLine(line, shownThere))
      .join('\n');
  });
  return parts.join('');
}

function expandLine(line: string, shownThere?: Set<string>): string {
  if (line.length > 2100) return line;
  const [, before = '', written, after = ''] = bareLine.exec(line) ?? [];
  if (written === undefined) return line;
  const address = written.replaceAll('&amp;', '&').replaceAll('&#038;', '&');
  const kind = playerKindOf(address);
  if (kind !== null) return `\n${playerHtml(kind, address)}\n`;
  if (readVideoAddress(address) !== null) return `\n${videoHtml(address)}\n`;
  if (isShownInFrames(address)) shownThere?.add(new URL(address).host);
  return before + linkTo(address, address) + after;
}

/** Sites whose pages WordPress and its editor know to show in posts. */
const framedHosts =
  /^(?:.+\.)?(?:animoto|bsky|crowdsignal|dailymotion|facebook|flickr|imgur|instagram|issuu|kickstarter|mixcloud|polldaddy|reddit|reverbnation|screencast|scribd|slideshare|smugmug|soundcloud|speakerdeck|spotify|ted|threads|tiktok|tumblr|twitter|videopress|wolframcloud|youtube|vimeo)\.(?:app|com|net)$|^(?:.+\.)?pinterest\.[a-z.]{2,6}$|^(?:dai\.ly|flic\.kr|kck\.st|pca\.st|poll\.fm|wordpress\.tv|x\.com)$/;

/** True for a page that WordPress shows in a post where its address has a line of its own. */
export function isShownInFrames(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname, pathname } = new URL(address);
  return pathname.length > 1 && framedHosts.test(hostname);
}

/**
 * Players as {@link playerHtml} writes them, for the import to find their files; one that plays nothing goes. What they do by
 * themselves is noted, as players here wait until somebody presses them.
 */
export function replacePlayers(html: string, warnings: string[]): string {
  if (html.search(playerTag) < 0) return html;
  const lower = html.toLowerCase();
  const pattern = new RegExp(playerTag);
  // What has no end is not looked for again, or time would grow with the square of the length.
  const endless = new Set<string>();
  let replaced = '';
  let at = 0;
  for (let match = pattern.exec(html); match !== null; match = pattern.exec(html)) {
    const kind = (match[1] ?? '').toLowerCase() as PlayerKind;
    const close = endless.has(kind) ? -1 : lower.indexOf(`</${kind}>`, pattern.lastIndex);
    if (close < 0) endless.add(kind);
    const inside = close < 0 ? '' : html.slice(pattern.lastIndex, close);
    replaced += html.slice(at, match.index) + readPlayer(kind, match[2] ?? '', inside, warnings);
    at = close < 0 ? pattern.lastIndex : close + kind.length + 3;
    pattern.lastIndex = at;
  }
  return (replaced + html.slice(at)).replace(aloneInFigure, '$1');
}

/** The element that the file is played with. */
export type PlayerKind = 'audio' | 'video';

/** Texts of a player besides its address. */
export interface PlayerTexts {
  readonly title?: string | undefined;
  /** Address of the picture that stands in its place before it is played. */
  readonly poster?: string | undefined;
}

/** A player of sound or a film that is a file, as posts store it. */
export function playerHtml(kind: PlayerKind, address: string, { title, poster }: PlayerTexts = {}): string {
  return writePlayer(kind, [
    ['src', address],
    ['title', title],
    ['poster', poster],
  ]);
}

/** Returns how a file is played, by the end of its address; null for other files. */
export function playerKindOf(address: string): PlayerKind | null {
  const extension = /\.([a-z0-9]{2,4})(?:[?#]|$)/i.exec(address)?.[1]?.toLowerCase() ?? '';
  if (/^(?:mp3|m4a|oga|ogg|opus|wav|flac|weba)$/.test(extension)) return 'audio';
  return /^(?:mp4|m4v|webm|ogv)$/.test(extension) ? 'video' : null;
}

type Attributes = readonly (readonly [name: string, value: string | null | undefined])[];

function writePlayer(kind: PlayerKind, attributes: Attributes, tracks = ''): string {
  return `<${kind} class="ql-player"${writeAttributes(attributes)}>${tracks}</${kind}>`;
}

function writeAttributes(attributes: Attributes): string {
  const given = attributes.filter(([, value]) => value !== undefined && value !== null && value !== '');
  return given.map(([name, value]) => ` ${name}="${escapeHtml(value ?? '')}"`).join('');
}

/** Players that stand in a figure without words below them stand for themselves. */
const aloneInFigure =
  /<figure(?:\s[^<>]*)?>\s*(<(audio|video) class="ql-player"[^<>]*>(?:<track [^<>]*>)*<\/\2>)\s*<\/figure>/g;

function readPlayer(kind: PlayerKind, written: string, inside: string, warnings: string[]): string {
  const sources = [...inside.matchAll(/<source\s[^<>]*>/gi)].flatMap(([tag]) => valueIn(tag, 'src') ?? []);
  // Every browser plays the first of these.
  const best = sources.find((source) => /\.(?:mp4|mp3|m4a)(?:[?#]|$)/i.test(source)) ?? sources[0];
  const address = valueIn(written, 'src') ?? best;
  if (address === undefined) return '';
  if (/\s(?:autoplay|loop)(?=[\s=>/]|$)/i.test(written))
    warnings.push(`the ${kind} ${address} does not play by itself`);
  const tracks = [...inside.matchAll(/<track(?=\s)([^<>]*)>/gi)].map(([, track = '']) => {
    const names = ['kind', 'src', 'srclang', 'label'];
    const isDefault = /\sdefault(?=[\s=/]|$)/i.test(track);
    return `<track${writeAttributes(names.map((name) => [name, valueIn(track, name)]))}${isDefault ? ' default=""' : ''}>`;
  });
  const names = kind === 'video' ? ['title', 'poster', 'width', 'height'] : ['title'];
  const attributes = names.map((name) => [name, valueIn(written, name)] as const);
  return writePlayer(kind, [['src', address], ...attributes], tracks.join(''));
}

/** Bars of progress, which posts cannot show, as the words or numbers that they stand for; these are added to the texts. */
export function replaceProgress(html: string, texts: string[]): string {
  return html.replace(
    /<(progress|meter)((?:\s[^<>]*)?)>([^<]*)<\/\1>/gi,
    (_all, _kind: string, written: string, inside: string) => {
      const numberOf = (name: string) =>
        new RegExp(`\\s${name}\\s{0,5}=\\s{0,5}["']?([\\d.]{1,20})`, 'i').exec(written)?.[1];
      const value = numberOf('value');
      const most = numberOf('max');
      const text = inside.trim() || (value === undefined ? '' : most === undefined ? value : `${value}/${most}`);
      texts.push(`'${text}'`);
      return text;
    },
  );
}

/** The value of an attribute in the text of a tag; null without one. */
function valueIn(attributes: string, name: string): string | null {
  const pattern = new RegExp(`\\s${name}\\s{0,5}=\\s{0,5}(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i');
  const match = pattern.exec(attributes);
  const value = (match?.[1] ?? match?.[2] ?? match?.[3])?.trim();
  return value === undefined || value === '' ? null : unescapeHtml(value);
}

function fileName(address: string): string {
  const path = /^[^?#]*/.exec(address)?.[0] ?? '';
  const name = path.split('/').findLast((part) => part !== '') ?? address;
  return decodeEscapes(name);
}
