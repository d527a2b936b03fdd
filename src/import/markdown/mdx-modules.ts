import { Lexer } from 'marked';
import type { ResolvedText } from './template-leftovers.js';

const statement = /^(?:import|export)\s[^\n]*(?:\n(?![ \t]*$)[^\n]*)*/;
const comment = /\{\/\*[^]*?\*\/\}/g;
const headingId = /\{\/\*\s*(#[\w-]{1,100})\s*\*\/\}/g;
const component = /<([A-Z][\w.]*)/g;
const picture =
  /\bimport\s+(\w{1,100})\s+from\s+["']([^"'\n]{1,500}\.(?:png|jpe?g|gif|webp|avif|svg))(?:\?[^"'\n]{0,100})?["']/gi;
const source = /\b(src|href|poster)=\{(\w{1,100})(?:\.src)?\}/g;
const words = /\{\s{0,20}(?:"([^"{}\\\n]{0,1000})"|'([^'{}\\\n]{0,1000})')\s{0,20}\}/g;
const expression = /\{(?![#{%])[^{}\n]{1,300}\}/g;
const MAX_NAMED = 5;

/**
 * MDX as Markdown: without the imports and exports of its components, and without comments. Components themselves cannot
 * be run; what they enclose stays, and they are named. Pictures that are imported stand where they are shown; other expressions stay, and are
 * named too.
 */
export function withoutModules(body: string): ResolvedText {
  const names = new Set<string>();
  const left = new Set<string>();
  const pictures = new Map<string, string>();
  for (const [, name = '', path = ''] of body.matchAll(picture)) pictures.set(name, path.replace(/^[@~]\//, '/src/'));
  const resolve = (text: string) =>
    text
      .replace(source, (written, attribute: string, name: string) => {
        const path = pictures.get(name);
        return path === undefined ? written : `${attribute}="${path}"`;
      })
      .replace(words, (_all, double?: string, single?: string) => double ?? single ?? '');
  const text = new Lexer().lex(body).map(({ type, raw }) => {
    if (type === 'code') return raw;
    if (type === 'paragraph' && statement.test(raw)) return '\n\n';
    const written = (type === 'heading' ? raw.replace(headingId, '{$1}') : raw).replace(comment, '');
    // Code in a line is no expression.
    const rest = written
      .split(/(`+[^`]+`+)/)
      .map((part, index) => (index % 2 === 1 ? part : resolve(part)))
      .join('');
    for (const [, name = ''] of rest.matchAll(component)) names.add(name);
    const plain = rest.replace(/`+[^`]+`+/g, '').replace(/<\/?[a-z][^<>]{0,2000}>/gi, '');
    for (const [found] of plain.matchAll(expression)) left.add(found);
    return rest;
  });
  const list = [...names].slice(0, 20).join(', ');
  const more = left.size > MAX_NAMED ? ` and ${left.size - MAX_NAMED} more` : '';
  return {
    text: text.join(''),
    warnings: [
      ...(names.size === 0 ? [] : [`components were left out, what they enclose stays: ${list}`]),
      ...(left.size === 0
        ? []
        : [`expressions of MDX were left in the text: ${[...left].slice(0, MAX_NAMED).join(', ')}${more}`]),
    ],
  };
}
