import { fillTemplate, TagNotes, type ShortcodeRules } from '../shortcode-rules.js';

/** A tag, which is passed over, or a note in brackets. In shells and formulas such brackets stand behind other signs. */
const written = /<[^<>]{0,4000}>|(?<![$(])\(\((?!\()((?:(?!\(\(|\)\)(?!\))|\n[ \t]*\n)[^]){1,2000})\)\)(?!\))/g;
/** The place at which a plugin shows these notes, if it is told one. */
const place = /\[\[\/?references\]\]/gi;

/** The name of the notes in the rules of an operator. */
const NAME = '((';

/**
 * Makes footnotes of notes in double brackets, `((as this))`, as plugins for WordPress do: where the post has a mark of such a plugin,
 * or the operator says so. Elsewhere they stay, and are named: an export does not say which plugins there were.
 * @param html without its code
 */
export function placeBracketNotes(html: string, rules: ShortcodeRules | undefined, notes: TagNotes): string {
  if (!html.includes(NAME)) return html;
  const rule = rules?.find([NAME]);
  const isKnown = html.search(place) >= 0;
  const text = html.replace(written, (whole, inner: string | undefined, at: number) => {
    if (inner === undefined || inner.trim() === '') return whole;
    const note = inner.trim();
    if (rule === 'drop') {
      notes.add(`what stands in ${NAME}…)) was dropped, as --shortcodes says`);
      return '';
    }
    if (rule === 'keep inner') return note;
    if (rule !== undefined) return fillTemplate(rule.text, { attributes: new Map(), values: [], inner: note });
    if (isKnown) return `<span class="ql-footnote">${note}</span>`;
    // A word with brackets behind it is a call of a function in most texts.
    if (/\w/.test(html[at - 1] ?? '') && !/\s/.test(note)) return whole;
    notes.add(`${NAME}…)) was left in the text, of which plugins make footnotes`);
    return whole;
  });
  return isKnown ? text.replace(place, '') : text;
}
