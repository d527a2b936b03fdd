/** A part of a line of rich text. */
export type RichPart =
  | { readonly kind: 'text' | 'strong' | 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string };

/** A block of rich text. */
export type RichBlock =
  | { readonly kind: 'paragraph'; readonly parts: readonly RichPart[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly RichPart[])[] };

/** `**bold**`, `` `code` `` and `[words](address)`. No two of its parts can match the same text in more than one way. */
const MARKS = /\*\*([^*]+)\*\*|`([^`]+)`|\[([^[\]]+)\]\(([^()\s]+)\)/g;

/**
 * Reads Markdown as far as texts of pages have it: paragraphs between empty lines, lists of lines that begin with a
 * hyphen, and marks within lines. Everything else is text.
 */
export function readRichText(text: string): RichBlock[] {
  return text
    .split(/\n[ \t]*\n/)
    .map((block) => block.split('\n').map((line) => line.trim()))
    .flatMap((lines) => toBlocks(lines.filter((line) => line !== '')));
}

/** A list may follow a line of a paragraph at once. */
function toBlocks(lines: readonly string[]): RichBlock[] {
  const blocks: RichBlock[] = [];
  let open: string[] = [];
  let isList = false;
  const close = () => {
    if (open.length === 0) return;
    if (isList) blocks.push({ kind: 'list', items: open.map((line) => readParts(line)) });
    else blocks.push({ kind: 'paragraph', parts: readParts(open.join(' ')) });
    open = [];
  };
  for (const line of lines) {
    const item = /^[-*] +(.+)$/.exec(line)?.[1];
    if ((item !== undefined) !== isList) close();
    isList = item !== undefined;
    open.push(item ?? line);
  }
  close();
  return blocks;
}

function readParts(line: string): RichPart[] {
  const parts: RichPart[] = [];
  let end = 0;
  const addText = (text: string) => text !== '' && parts.push({ kind: 'text', text });
  for (const match of line.matchAll(MARKS)) {
    const [whole, strong, code, words, href] = match;
    if (href !== undefined && !isSafeAddress(href)) continue;
    addText(line.slice(end, match.index));
    end = match.index + whole.length;
    if (strong !== undefined) parts.push({ kind: 'strong', text: strong });
    else if (code !== undefined) parts.push({ kind: 'code', text: code });
    else parts.push({ kind: 'link', text: words ?? '', href: href ?? '' });
  }
  addText(line.slice(end));
  return parts;
}

/** Returns true for what links of texts may lead to: pages of this site, other sites, mail and telephones. */
export function isSafeAddress(href: string): boolean {
  return /^(?:https?:\/\/[^\s/]|mailto:[^\s]|tel:[^\s]|\/(?![/\\])|#)/i.test(href);
}

/** Returns the addresses of links that lead nowhere a link may. */
export function findUnsafeAddresses(text: string): string[] {
  return [...text.matchAll(MARKS)].flatMap(([, , , , href]) =>
    href === undefined || isSafeAddress(href) ? [] : [href],
  );
}
