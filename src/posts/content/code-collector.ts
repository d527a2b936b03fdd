import { classNames, readLanguage } from './attribute-rules.js';
import { createElement, type MarkupElement } from './markup-tree.js';

const lineTags: ReadonlySet<string> = new Set(['div', 'p', 'li', 'tr']);

/** Returns true for a tag that starts a code block: `<pre>`, or the `<div>`s that the editor uses instead. */
export function startsCode(tag: string, attributes: ReadonlyMap<string, string>): boolean {
  if (tag === 'pre') return true;
  return tag === 'div' && classNames(attributes).some((name) => /^ql-code-block(?:-container)?$/.test(name));
}

/**
 * Gathers the text of a code block from its start tag to its end tag, whatever markup colors it, and gives
 * `<pre><code class="language-x">`.
 */
export class CodeCollector {
  private text = '';
  private language: string | null;
  private nesting = 1;
  private isAtStart = true;
  private isLineBroken = false;

  constructor(
    private readonly tag: string,
    attributes: ReadonlyMap<string, string>,
  ) {
    this.language = readLanguage(attributes);
  }

  add(text: string): void {
    // Browsers skip a line break right after <pre>.
    this.text += this.isAtStart && this.tag === 'pre' ? text.replace(/^\n/, '') : text;
    this.isAtStart = false;
    this.isLineBroken = false;
  }

  open(tag: string, attributes: ReadonlyMap<string, string>): void {
    this.isAtStart = false;
    if (tag === this.tag) this.nesting += 1;
    if (tag === 'br') this.breakLine();
    if (tag === 'code' || tag === 'div') this.language ??= readLanguage(attributes);
  }

  /** True when this closes the block itself. */
  close(tag: string): boolean {
    this.isAtStart = false;
    if (tag === this.tag) this.nesting -= 1;
    if (this.nesting === 0) return true;
    // A <br> is how the editor writes an empty line: a line that ends with one has its break already.
    if (lineTags.has(tag) && !this.isLineBroken) this.breakLine();
    else this.isLineBroken = false;
    return false;
  }

  /** The finished block; null when there is no code in it. */
  finish(): MarkupElement | null {
    const text = trimLines(this.text);
    if (text === '') return null;
    const code = createElement('code', this.language === null ? [] : [['class', `language-${this.language}`]]);
    code.children.push(text);
    const pre = createElement('pre');
    pre.children.push(code);
    return pre;
  }

  private breakLine(): void {
    this.text += '\n';
    this.isLineBroken = true;
  }
}

/** Without empty lines before and blanks after; indentation of the first line stays. */
function trimLines(text: string): string {
  let start = 0;
  for (let at = 0; at < text.length && /\s/.test(text[at] ?? ''); at += 1) if (text[at] === '\n') start = at + 1;
  return text.slice(start).trimEnd();
}
