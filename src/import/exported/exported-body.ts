import { Marked, Renderer, type Tokens } from 'marked';
import { blockModels } from '../../posts/content/element-rules.js';

/**
 * How `posts export` wrote the text of a post (decision 27): as Markdown, as Markdown that is to be read in the manner
 * of the editor, or as the HTML that is stored.
 */
export const bodyFormats = ['markdown', 'editor-markdown', 'html'] as const;

export type BodyFormat = (typeof bodyFormats)[number];

/** The text of an exported post as HTML that nobody has checked yet. */
export function exportedBodyToHtml(body: string, format: BodyFormat): string {
  // A line break at the end would become part of a tag that stands there by itself.
  const text = body.replace(/^\n+|\n+$/g, '');
  switch (format) {
    case 'html':
      return text;
    case 'markdown':
      return plainMarked.parse(text) as string;
    case 'editor-markdown':
      return withoutBreaksBetweenBlocks(editorMarked.parse(text) as string);
  }
}

/** The text of an exported post as HTML, if `format` is one of {@link bodyFormats}; null otherwise. */
export function readExportedBody(body: string, format: unknown): string | null {
  const known = bodyFormats.find((name) => name === format);
  return known === undefined ? null : exportedBodyToHtml(body, known);
}

/** Markdown in which HTML is a block like all others: a line break follows it. */
class PlainRenderer extends Renderer {
  override html(token: Tokens.HTML | Tokens.Tag): string {
    return token.block === true ? `${token.text}\n` : super.html(token);
  }
}

/** Writes as the editor does where Markdown would differ: links open windows, quotations hold text. */
class EditorRenderer extends Renderer {
  override link(token: Tokens.Link): string {
    return super.link(token).replace(/^<a /, '<a target="_blank" ');
  }

  override blockquote(token: Tokens.Blockquote): string {
    const [first, ...others] = token.tokens.filter(({ type }) => type !== 'space');
    if (first?.type !== 'paragraph' || others.length > 0) return super.blockquote(token);
    return `<blockquote>${this.parser.parseInline(first.tokens ?? [])}</blockquote>\n`;
  }

  override checkbox(token: Tokens.Checkbox): string {
    return super.checkbox(token).trimEnd();
  }
}

const plainMarked = new Marked().setOptions({ gfm: true, async: false, renderer: new PlainRenderer() });
const editorMarked = new Marked().setOptions({ gfm: true, async: false, renderer: new EditorRenderer() });
const blockTag = `</?(?:${[...blockModels.keys(), 'pre', 'hr', 'iframe'].join('|')})(?:\\s[^<>]*)?>`;
const breakAfterBlock = new RegExp(`(${blockTag})\\n+`, 'g');
const breakBeforeBlock = new RegExp(`\\n+(?=${blockTag})`, 'g');

function withoutBreaksBetweenBlocks(html: string): string {
  return html.replace(breakAfterBlock, '$1').replace(breakBeforeBlock, '');
}
