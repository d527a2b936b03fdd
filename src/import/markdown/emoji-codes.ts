import { isRecord } from '../../shared/is-record.js';
import { splitAtCode } from '../html-text.js';
import type { SiteSettings } from './site-settings.js';

const code = /:([\w+-]{1,50}):/g;
/** A code that means one to a reader: no time, no port, no part of an address. */
const writtenCode = /(?<![\w:/]):(?=[\w+-]*[a-z])[\w+-]{2,40}:(?![\w:/])/g;
const MAX_NAMED = 5;

type Site = Pick<SiteSettings, 'generator' | 'values'> | null;

/** Writes emoji for their codes (`:tada:`) in HTML where its site shows them, but for code, and names codes that are none of GitHub's. */
export async function showEmoji(html: string, site: Site): Promise<{ html: string; warnings: string[] }> {
  if (!showsEmoji(site) || !html.includes(':')) return { html, warnings: [] };
  const emoji = await loadEmoji();
  const parts = splitAtCode(html).map(({ text, isRaw }) => ({ isRaw, text: isRaw ? text : inTexts(text, emoji) }));
  const left = parts.map(({ text, isRaw }) => (isRaw ? ' ` ' : text.replace(/<[^<>]*>/g, ''))).join('');
  const found = [...new Set(left.match(writtenCode))];
  const more = found.length > MAX_NAMED ? ` and ${found.length - MAX_NAMED} more` : '';
  const note = `codes of emoji were left in the text: ${found.slice(0, MAX_NAMED).join(', ')}${more}`;
  return { html: parts.map(({ text }) => text).join(''), warnings: found.length === 0 ? [] : [note] };
}

/** Writes emoji for their codes in a title or an excerpt, where Jekyll shows them as well. */
export async function showEmojiInLine(line: string, site: Site): Promise<string> {
  if (site?.generator !== 'jekyll' || !showsEmoji(site) || !line.includes(':')) return line;
  return replaceCodes(line, await loadEmoji());
}

/** Loaded for a site that shows emoji: it is a third of a megabyte. */
async function loadEmoji(): Promise<ReadonlyMap<string, string>> {
  const { nameToEmoji } = await import('gemoji');
  return new Map(Object.entries(nameToEmoji));
}

/** Attributes keep their codes. */
function inTexts(html: string, emoji: ReadonlyMap<string, string>): string {
  return html.replace(/<[^<>]*>|[^<]+/g, (part) => (part.startsWith('<') ? part : replaceCodes(part, emoji)));
}

/** The colon that ends what is no code may begin one. */
function replaceCodes(text: string, emoji: ReadonlyMap<string, string>): string {
  let shown = '';
  let at = 0;
  const pattern = new RegExp(code);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [written, name = ''] = match;
    const sign = emoji.get(name);
    if (sign === undefined) {
      pattern.lastIndex -= 1;
      continue;
    }
    shown += text.slice(at, match.index) + sign;
    at = match.index + written.length;
  }
  return shown + text.slice(at);
}

function showsEmoji(site: Site): boolean {
  if (site === null) return false;
  const { generator, values } = site;
  if (generator === 'hugo') return values['enableemoji'] === true;
  if (generator === 'zola') return isRecord(values['markdown']) && values['markdown']['render_emoji'] === true;
  const plugins = [values['plugins'], values['gems']].flat();
  return plugins.includes('jemoji');
}
