/** Text as HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The opposite of {@link escapeHtml}. */
export function unescapeHtml(html: string): string {
  return html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

/** A part of an HTML text. */
export interface HtmlPart {
  readonly text: string;
  /** True for code and the like, which is taken literally and never changed. */
  readonly isRaw: boolean;
}

const rawTag = /<(pre|code|script|style|textarea|svg|kbd|samp)(?=[\s>/])/gi;

/** Cuts HTML so that code can be left alone. Takes time in proportion to the length. */
export function splitAtCode(html: string): HtmlPart[] {
  if (html.search(rawTag) < 0) return html === '' ? [] : [{ text: html, isRaw: false }];
  const parts: HtmlPart[] = [];
  const pattern = new RegExp(rawTag);
  const lower = html.toLowerCase();
  let at = 0;
  for (let match = pattern.exec(html); match !== null; match = pattern.exec(html)) {
    const close = lower.indexOf(`</${(match[1] ?? '').toLowerCase()}`, match.index);
    const end = close < 0 ? html.length : indexOrEnd(html, '>', close) + 1;
    parts.push(
      { text: html.slice(at, match.index), isRaw: false },
      { text: html.slice(match.index, end), isRaw: true },
    );
    at = pattern.lastIndex = end;
  }
  parts.push({ text: html.slice(at), isRaw: false });
  return parts.filter(({ text }) => text !== '');
}

/** HTML cut at its comments, whose marks are left out; one that never ends takes the rest with it. */
export function splitAtComments(html: string): { readonly text: string; readonly isComment: boolean }[] {
  const parts: { text: string; isComment: boolean }[] = [];
  for (let at = 0; at < html.length;) {
    const start = indexOrEnd(html, '<!--', at);
    if (start > at) parts.push({ text: html.slice(at, start), isComment: false });
    const end = indexOrEnd(html, '-->', start);
    if (start < html.length) parts.push({ text: html.slice(start + 4, end).trim(), isComment: true });
    at = end + 3;
  }
  return parts;
}

/** Returns where a mark stands in a text from a place on, or the end of the text. */
export function indexOrEnd(text: string, mark: string, from: number): number {
  const index = text.indexOf(mark, from);
  return index < 0 ? text.length : index;
}
