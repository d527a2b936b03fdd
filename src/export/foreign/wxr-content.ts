import { noteElement, toForeignContent, type ForeignAddresses, type ForeignBlock } from './foreign-content.js';

/** The text of a post as WordPress stores it. */
export interface WxrContent {
  readonly html: string;
  /** The custom field `footnotes`; null without any. */
  readonly footnotes: string | null;
  readonly losses: readonly string[];
}

/**
 * A stored text as blocks of WordPress' editor: paragraphs, headings and lists as what they are, everything else as HTML, which it
 * shows unchanged. Footnotes are its own.
 * @param id of the post, for the names of its notes
 */
export function toWxrContent(content: string, id: string, addresses: ForeignAddresses): WxrContent {
  const nameOf = (number: number) => `${id}-${number}`;
  const { blocks, notes, losses } = toForeignContent(content, addresses, (number, isInLink) => {
    const name = nameOf(number);
    const words = String(number);
    const link = noteElement(
      'a',
      [
        ['href', `#${name}`],
        ['id', `${name}-link`],
      ],
      [words],
    );
    return noteElement(
      'sup',
      [
        ['data-fn', name],
        ['class', 'fn'],
      ],
      [isInLink ? words : link],
    );
  });
  const footnotes = notes.map((note, index) => ({ id: nameOf(index + 1), content: asText(note) }));
  const end = footnotes.length === 0 ? '' : '<!-- wp:footnotes /-->';
  return {
    html: blocks.map(toBlock).join('') + end,
    footnotes: footnotes.length === 0 ? null : JSON.stringify(footnotes),
    losses,
  };
}

function toBlock({ tag, html, isPlain }: ForeignBlock): string {
  if (tag === '') return html;
  const [name, settings] = isPlain ? blockOf(tag) : ['html', ''];
  return `<!-- wp:${name}${settings} -->${asText(html)}<!-- /wp:${name} -->`;
}

function blockOf(tag: string): readonly [name: string, settings: string] {
  if (tag === 'p') return ['paragraph', ''];
  if (tag === 'ul') return ['list', ''];
  if (tag === 'ol') return ['list', ' {"ordered":true}'];
  return ['heading', tag === 'h2' ? '' : ` {"level":${tag.slice(1)}}`];
}

/**
 * HTML in which WordPress finds neither tags of its own in brackets nor addresses to make players of: both would be read in
 * code, too.
 */
function asText(html: string): string {
  return html.replaceAll('[', '&#91;').replace(/((?:^|>|\n)[ \t]*https?:)\/\//g, '$1&#47;/');
}
