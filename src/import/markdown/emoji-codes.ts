import { splitAtCode } from '../html-text.js';
import { isRecord } from './front-matter-values.js';
import type { SiteSettings } from './site-settings.js';

const code = /(?<![\w:/]):(?=[\w+-]*[a-z])[\w+-]{2,40}:(?![\w:/])/g;
const MAX_NAMED = 5;

/** Names the codes of emoji in HTML (`:tada:`) that its site shows as emoji, and which stay codes here; none does in code. */
export function nameEmojiCodes(html: string, site: Pick<SiteSettings, 'generator' | 'values'> | null): string[] {
  if (site === null || !showsEmoji(site)) return [];
  const text = splitAtCode(html).map(({ text: part, isRaw }) => (isRaw ? ' ` ' : part.replace(/<[^<>]*>/g, '')));
  const found = [...new Set(text.join('').match(code))];
  if (found.length === 0) return [];
  const more = found.length > MAX_NAMED ? ` and ${found.length - MAX_NAMED} more` : '';
  return [`codes of emoji were left in the text: ${found.slice(0, MAX_NAMED).join(', ')}${more}`];
}

function showsEmoji({ generator, values }: Pick<SiteSettings, 'generator' | 'values'>): boolean {
  if (generator === 'hugo') return values['enableemoji'] === true;
  if (generator === 'zola') return isRecord(values['markdown']) && values['markdown']['render_emoji'] === true;
  const plugins = [values['plugins'], values['gems']].flat();
  return plugins.includes('jemoji');
}
