/** A part of a text with templates. */
export interface TemplatePart {
  readonly text: string;
  /** Whether it means what it says: code, and what the author kept from the template engine. */
  readonly isLiteral: boolean;
}

const beginning =
  /^ {0,3}(`{3,100}|~{3,100})[^\n]*$|\{%-?\s{0,9}(raw|highlight|comment)\b([^%\n]{0,200})-?%\}|\{\{[<%]\s{0,9}(highlight)\b([^<>%\n]{0,200})[>%]\}\}/gm;
const endings: Readonly<Record<string, RegExp>> = {
  raw: /\{%-?\s{0,9}endraw\s{0,9}-?%\}/g,
  highlight: /\{%-?\s{0,9}endhighlight\s{0,9}-?%\}/g,
  comment: /\{%-?\s{0,9}endcomment\s{0,9}-?%\}/g,
  shortcode: /\{\{[<%]\s{0,9}\/highlight\s{0,9}[>%]\}\}/g,
};

/**
 * Cuts Markdown at its code blocks, and at those that Liquid and Hugo have for code (`highlight`), for what is not to be
 * touched (`raw`) and for comments, which nobody is to see. What is opened and never closed stays as it is.
 */
export function splitTemplates(markdown: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  const pattern = new RegExp(beginning);
  // What has no end is not looked for again, or time would grow with the square of the length.
  const endless = new Set<string>();
  let at = 0;
  for (let match = pattern.exec(markdown); match !== null; match = pattern.exec(markdown)) {
    const [, fence, tag, words = '', shortcode, shortcodeWords = ''] = match;
    const kind = shortcode === undefined ? (tag ?? '') : 'shortcode';
    const end =
      fence === undefined ? findEnd(markdown, pattern.lastIndex, kind, endless) : findFence(markdown, pattern, fence);
    if (end === null) continue;
    const inside = markdown.slice(pattern.lastIndex, end.start);
    parts.push({ text: markdown.slice(at, match.index), isLiteral: false });
    if (fence !== undefined) parts.push({ text: markdown.slice(match.index, end.end), isLiteral: true });
    else if (kind === 'raw') parts.push({ text: inside, isLiteral: true });
    else if (kind !== 'comment') parts.push({ text: toFence(inside, words || shortcodeWords), isLiteral: true });
    at = pattern.lastIndex = end.end;
  }
  parts.push({ text: markdown.slice(at), isLiteral: false });
  return parts.filter(({ text }) => text !== '');
}

interface Ending {
  readonly start: number;
  /** One past the last character. */
  readonly end: number;
}

function findEnd(markdown: string, from: number, kind: string, endless: Set<string>): Ending | null {
  const ending = endings[kind];
  if (ending === undefined || endless.has(kind)) return null;
  const pattern = new RegExp(ending);
  pattern.lastIndex = from;
  const match = pattern.exec(markdown);
  if (match === null) endless.add(kind);
  return match === null ? null : { start: match.index, end: pattern.lastIndex };
}

/** A code block that is never closed goes on to the end. */
function findFence(markdown: string, { lastIndex }: RegExp, fence: string): Ending {
  const pattern = new RegExp(`^ {0,3}[${fence[0] ?? ''}]{${fence.length},}[ \\t]*$`, 'gm');
  pattern.lastIndex = lastIndex;
  const match = pattern.exec(markdown);
  const end = match === null ? markdown.length : pattern.lastIndex;
  return { start: end, end };
}

function toFence(code: string, words: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const language = /^\s*"?([\w+#.-]{1,30})/.exec(words)?.[1] ?? '';
  return `\n${fence}${language}\n${code.replace(/^\n+|\n+$/g, '')}\n${fence}\n`;
}
