import { readVideoAddress } from '../shared/video-address.js';
import { escapeHtml, splitAtCode } from './html-text.js';

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

/** Addresses in lines of their own, which WordPress shows as what they lead to, as players or links. */
export function expandBareAddresses(html: string): string {
  if (!/https?:\/\//.test(html)) return html;
  const parts = splitAtCode(html).map(({ text, isRaw }) => {
    if (isRaw) return text;
    return text.split('\n').map(expandLine).join('\n');
  });
  return parts.join('');
}

function expandLine(line: string): string {
  if (line.length > 2100) return line;
  const [, before = '', written, after = ''] = bareLine.exec(line) ?? [];
  if (written === undefined) return line;
  const address = written.replaceAll('&amp;', '&').replaceAll('&#038;', '&');
  const isVideo = readVideoAddress(address) !== null;
  return isVideo ? `\n${videoHtml(address)}\n` : before + linkTo(address, address) + after;
}

/** Sound and films that are files, which posts cannot play, as links to them; each is named in a warning. */
export function replacePlayers(html: string, warnings: string[]): string {
  if (html.search(playerTag) < 0) return html;
  const lower = html.toLowerCase();
  const pattern = new RegExp(playerTag);
  // What has no end is not looked for again, or time would grow with the square of the length.
  const endless = new Set<string>();
  let replaced = '';
  let at = 0;
  for (let match = pattern.exec(html); match !== null; match = pattern.exec(html)) {
    const kind = (match[1] ?? '').toLowerCase();
    const close = endless.has(kind) ? -1 : lower.indexOf(`</${kind}>`, pattern.lastIndex);
    if (close < 0) endless.add(kind);
    const inside = close < 0 ? '' : html.slice(pattern.lastIndex, close);
    const address = sourceOf(match[2] ?? '') ?? sourceOf(/<source\s[^<>]*>/i.exec(inside)?.[0] ?? '');
    replaced += html.slice(at, match.index);
    if (address !== null) {
      replaced += linkTo(address);
      warnings.push(`the ${kind} ${address} became a link`);
    }
    at = close < 0 ? pattern.lastIndex : close + kind.length + 3;
    pattern.lastIndex = at;
  }
  return replaced + html.slice(at);
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

function sourceOf(attributes: string): string | null {
  const match = /\ssrc\s{0,5}=\s{0,5}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(attributes);
  const address = (match?.[1] ?? match?.[2] ?? match?.[3])?.trim().replaceAll('&amp;', '&');
  return address === undefined || address === '' ? null : address;
}

function fileName(address: string): string {
  const path = /^[^?#]*/.exec(address)?.[0] ?? '';
  const name = path.split('/').findLast((part) => part !== '') ?? address;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
