import { unescapeMarkup } from '../../posts/content/markup-tree.js';
import { toPlainText } from '../../posts/content/plain-text.js';
import { decodeEscapes } from '../../shared/decode-escapes.js';
import { noteElement, toForeignContent, type ForeignAddresses, type ForeignBlock } from './foreign-content.js';

/** Blocks that Ghost's editor has words for, as long as they are plain; others are kept as HTML. */
const known: ReadonlySet<string> = new Set(['p', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'hr']);
const placeLink = /<a (?:[^>]* )?href="#([^"]*)"/g;
const plainId = /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u;

/** The text of a post as Ghost takes it. */
export interface GhostContent {
  readonly html: string;
  readonly losses: readonly string[];
}

/**
 * A stored text as HTML with the marks of Ghost's cards around what its editor would change, such as the id of a heading to
 * which a link of the text leads. Footnotes are written as its Markdown card does, in one card with the text, as the editor
 * takes their anchors off.
 * @param id of the post, for the names of its notes
 */
export function toGhostContent(content: string, id: string, addresses: ForeignAddresses): GhostContent {
  const nameOf = (number: number) => `${id.slice(0, 8)}-${number}`;
  const { blocks, notes, losses } = toForeignContent(content, addresses, (number, isInLink) => {
    const words = `[${number}]`;
    const link = noteElement(
      'a',
      [
        ['href', `#fn${nameOf(number)}`],
        ['id', `fnref${nameOf(number)}`],
      ],
      [words],
    );
    return noteElement('sup', [['class', 'footnote-ref']], [isInLink ? words : link]);
  });
  if (notes.length === 0) {
    const linked = new Set(
      Array.from(content.matchAll(placeLink), ([, name = '']) => decodeEscapes(unescapeMarkup(name))),
    );
    return { html: blocks.map((block) => toCard(block, linked)).join(''), losses };
  }
  const items = notes.map((note, index) => {
    const name = nameOf(index + 1);
    return `<li id="fn${name}" class="footnote-item"><p>${note} <a href="#fnref${name}" class="footnote-backref">↩</a></p></li>`;
  });
  const text = blocks.map(({ html }) => html).join('');
  return {
    html: inCard(`${text}<section class="footnotes"><ol class="footnotes-list">${items.join('')}</ol></section>`),
    losses: [...losses, 'a text with footnotes, which is one block of HTML there'],
  };
}

function toCard(block: ForeignBlock, linked: ReadonlySet<string>): string {
  const { tag, html, isPlain, id } = block;
  const isKept = id === null || !linked.has(id) || isIdOfGhost(id, html);
  return tag === '' || (known.has(tag) && ((isPlain && isKept) || tag === 'hr')) ? html : inCard(html);
}

/** Ghost makes ids of its own, which are the same for words without signs between them; it counts equal ones in another way. */
function isIdOfGhost(id: string, html: string): boolean {
  return plainId.test(id) && id === toPlainText(html).toLowerCase().replaceAll(' ', '-');
}

function inCard(html: string): string {
  return `<!--kg-card-begin: html-->${html}<!--kg-card-end: html-->`;
}
