import { Tokenizer } from 'htmlparser2';

/** Receives the tokens of {@link readTokens} in document order; names are in lower case, entities decoded. */
export interface TokenHandler {
  open(tag: string, attributes: ReadonlyMap<string, string>, isSelfClosed: boolean): void;
  close(tag: string): void;
  text(text: string): void;
}

/**
 * Splits HTML into tags and text. Comments, declarations, CDATA and unfinished tags vanish. It keeps no stack of open
 * elements, so no nesting, however deep, costs more than its length.
 */
export function readTokens(html: string, handler: TokenHandler): void {
  let tag = '';
  let attributes = new Map<string, string>();
  let name = '';
  let value = '';
  const slice = (start: number, end: number) => html.slice(start, end);
  const open = (isSelfClosed: boolean) => handler.open(tag, attributes, isSelfClosed);
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        tag = readName(slice(start, end));
        attributes = new Map();
      },
      onattribname(start, end) {
        name = slice(start, end).toLowerCase();
        value = '';
      },
      onattribdata: (start, end) => void (value += slice(start, end)),
      onattribentity: (codePoint) => void (value += String.fromCodePoint(codePoint)),
      // The first of two attributes of one name counts, as in browsers.
      onattribend: () => void (attributes.has(name) || attributes.set(name, value)),
      onopentagend: () => open(false),
      onselfclosingtag: () => open(true),
      onclosetag: (start, end) => handler.close(readName(slice(start, end))),
      ontext: (start, end) => handler.text(slice(start, end)),
      ontextentity: (codePoint) => handler.text(String.fromCodePoint(codePoint)),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
}

/** Browsers read `<image>` as `<img>`. */
function readName(name: string): string {
  const lower = name.toLowerCase();
  return lower === 'image' ? 'img' : lower;
}

function ignore(): void {}
