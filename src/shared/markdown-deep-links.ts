/** A link or an image that the library leaves as text. */
export interface DeepLink {
  readonly raw: string;
  readonly label: string;
  readonly href: string;
  readonly title: string | null;
}

const MAX_LABEL = 1000;
/** Brackets in brackets that the library finds. */
const MAX_OF_LIBRARY = 3;
const target =
  /^\([ \t]*\n?[ \t]*(?:<([^<>\n]{0,2000})>|((?:[^\s<>()]|\\[()]|\([^\s<>()]{0,1000}\)){1,2000}))(?:[ \t]*\n?[ \t]+(?:"([^"\n]{0,1000})"|'([^'\n]{0,1000})'))?[ \t]*\n?[ \t]*\)/;
const escapedSign = /\\([!-/:-@[-`{-~])/g;

/**
 * Reads a link or an image at the beginning of a source whose words hold brackets in brackets, or a sign of code alone: CommonMark takes any
 * that are balanced (section 6.3), the library three, and left such links as they are written. Undefined for all others.
 */
export function readDeepLink(source: string): DeepLink | undefined {
  const start = source.startsWith('!') ? 2 : 1;
  if (source[start - 1] !== '[') return undefined;
  const end = findEnd(source, start);
  if (end === null) return undefined;
  const match = target.exec(source.slice(end + 1, end + 5000));
  if (match === null) return undefined;
  const [written, bracketed, plain = '', double, single] = match;
  const title = double ?? single ?? null;
  return {
    raw: source.slice(0, end + 1) + written,
    label: source.slice(start, end),
    href: (bracketed ?? plain).replace(escapedSign, '$1'),
    title: title === null ? null : title.replace(escapedSign, '$1'),
  };
}

/** The place of the bracket that ends the words; null where there is none, or the library finds it. */
function findEnd(source: string, start: number): number | null {
  let depth = 1;
  let isDeep = false;
  const last = Math.min(source.length, start + MAX_LABEL);
  for (let at = start; at < last; at += 1) {
    const sign = source[at];
    if (sign === '\\') at += 1;
    else if (sign === '[') isDeep = ++depth > MAX_OF_LIBRARY || isDeep;
    else if (sign === '`') {
      const [run = ''] = /^`+/.exec(source.slice(at, at + 20)) ?? [];
      const close = findRun(source, run, at + run.length);
      isDeep ||= close === null;
      at = (close ?? at) + run.length - 1;
    } else if (sign === ']' && --depth === 0) return isDeep ? at : null;
  }
  return null;
}

/** The place of the next run of exactly as many signs of code. */
function findRun(source: string, run: string, from: number): number | null {
  const close = new RegExp(`(^|[^\`])${run}(?!\`)`).exec(source.slice(from, from + MAX_LABEL));
  return close === null ? null : from + close.index + (close[1]?.length ?? 0);
}
