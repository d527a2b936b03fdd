/** Formats of a text or a line, by name, as the editor holds them. */
export type Formats = Readonly<Record<string, string | number | boolean>>;

/** A piece of a line: text, or one object that stands in the text, such as `{ image: {...} }`. */
export interface Piece {
  readonly insert: string | Readonly<Record<string, unknown>>;
  readonly attributes?: Formats;
}

/** A line of the editor: a paragraph, a heading, an item of a list, one line of code. */
export interface TextLine {
  readonly pieces: readonly Piece[];
  readonly formats: Formats;
}

/** An object that fills a line of its own, such as `{ video: {...} }`. */
export interface ObjectLine {
  readonly object: Readonly<Record<string, unknown>>;
}

export type Line = TextLine | ObjectLine;

const objectNames: ReadonlySet<string> = new Set(['preserved', 'video', 'divider', 'figure']);

export function isObjectLine(line: Line): line is ObjectLine {
  return 'object' in line;
}

/** A name of its own for every line: equal lines have equal keys. */
export function keyOf(line: Line): string {
  return JSON.stringify(line, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** An empty line that is only there so that the cursor can stand beside an object; it is never written. */
export const FILLER: TextLine = { pieces: [], formats: { filler: 'true' } };

export function isFiller(line: Line): boolean {
  return !isObjectLine(line) && line.pieces.length === 0 && line.formats['filler'] !== undefined;
}

/**
 * The content of the editor, piece by piece, as lines. Pictures that are still on their way are left out, unless the lines are for
 * the clipboard, from which they come back to the editor.
 */
export function toLines(pieces: readonly Piece[], isForClipboard = false): Line[] {
  const lines: Line[] = [];
  let open: Piece[] = [];
  for (const piece of pieces) {
    if (typeof piece.insert === 'string') {
      const parts = piece.insert.split('\n');
      parts.forEach((text, index) => {
        if (text !== '') open = withPiece(open, { ...piece, insert: text });
        if (index === parts.length - 1) return;
        lines.push({ pieces: open, formats: piece.attributes ?? {} });
        open = [];
      });
    } else if (Object.keys(piece.insert).some((name) => objectNames.has(name))) {
      if (open.length > 0) lines.push({ pieces: open, formats: {} });
      open = [];
      lines.push({ object: piece.insert });
    } else if (isForClipboard || !('upload' in piece.insert)) {
      open = withPiece(open, piece);
    }
  }
  if (open.length > 0) lines.push({ pieces: open, formats: {} });
  return lines;
}

/** Joins texts that were apart only because something between them is left out. */
function withPiece(pieces: Piece[], piece: Piece): Piece[] {
  const { insert, attributes } = piece;
  const tidy: Piece = attributes && Object.keys(attributes).length > 0 ? { insert, attributes } : { insert };
  const last = pieces.at(-1);
  const isSame =
    typeof last?.insert === 'string' &&
    keyOf({ object: last.attributes ?? {} }) === keyOf({ object: attributes ?? {} });
  if (!isSame || typeof insert !== 'string') return [...pieces, tidy];
  return [...pieces.slice(0, -1), { ...tidy, insert: last.insert + insert }];
}

/** The lines as pieces, for the editor. */
export function toPieces(lines: readonly Line[]): Piece[] {
  return lines.flatMap((line): Piece[] => {
    if (isObjectLine(line)) return [{ insert: line.object }];
    const end = Object.keys(line.formats).length > 0 ? { insert: '\n', attributes: line.formats } : { insert: '\n' };
    return [...line.pieces, end];
  });
}
