import { parseHtml } from '../../../../lib/parse-html.js';
import { withoutHandlers } from './safe-fragment.js';

/** A block at the top of a text, exactly as it is written there. */
export interface SourceBlock {
  readonly html: string;
  /** Text between it and the next one. */
  readonly gap: string;
}

const tagPattern = /<(\/?)([a-z][a-z0-9]*)(?: [a-z-]+="[^"<>]*")*>/g;
const emptyTags: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'track']);

/** The blocks of sanitized HTML; HTML of any other kind is brought into that form first. */
export function splitBlocks(html: string): SourceBlock[] {
  return splitClean(html) ?? splitClean(tidy(html)) ?? [];
}

/** The blocks of HTML that is nothing but balanced elements with blanks between them; null for any other. */
export function splitClean(html: string): SourceBlock[] | null {
  const blocks: { html: string; gap: string }[] = [];
  const open: string[] = [];
  let start = 0;
  let end = 0;
  for (const match of html.matchAll(tagPattern)) {
    const [tag, slash, name = ''] = match;
    if (open.length === 0) {
      const gap = html.slice(end, match.index);
      const last = blocks.at(-1);
      if (slash === '/' || gap.trim() !== '' || (gap !== '' && last === undefined)) return null;
      if (last !== undefined) last.gap = gap;
      start = match.index;
    }
    if (slash === '/') {
      if (open.pop() !== name) return null;
    } else if (!emptyTags.has(name)) {
      open.push(name);
    }
    end = match.index + tag.length;
    if (open.length === 0) blocks.push({ html: html.slice(start, end), gap: '' });
  }
  return open.length === 0 && end === html.length ? blocks : null;
}

/** As a browser reads it, with loose text in paragraphs. */
function tidy(html: string): string {
  const read = parseHtml(withoutHandlers(html));
  // Of the same document, in which nothing loads.
  const body = read.ownerDocument.createElement('div');
  body.append(read);
  let paragraph: HTMLElement | null = null;
  for (const node of [...body.childNodes]) {
    const isBlock =
      node instanceof Element &&
      /^(?:P|H\d|BLOCKQUOTE|[UOD]L|TABLE|FIGURE|PRE|HR|IFRAME|AUDIO|VIDEO|DIV)$/.test(node.tagName);
    if (isBlock || (paragraph === null && node.textContent?.trim() === '' && node.nodeName !== 'IMG')) {
      if (!isBlock) node.remove();
      paragraph = null;
      continue;
    }
    if (paragraph === null) {
      paragraph = document.createElement('p');
      node.before(paragraph);
    }
    paragraph.append(node);
  }
  for (const comment of [...body.childNodes].filter((node) => node.nodeType === Node.COMMENT_NODE)) comment.remove();
  return body.innerHTML.trim();
}
