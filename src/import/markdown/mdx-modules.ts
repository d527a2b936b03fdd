import { Lexer } from 'marked';
import type { ResolvedText } from './template-leftovers.js';

const statement = /^(?:import|export)\s[^\n]*(?:\n(?![ \t]*$)[^\n]*)*/;
const comment = /\{\/\*[^]*?\*\/\}/g;
const headingId = /\{\/\*\s*(#[\w-]{1,100})\s*\*\/\}/g;
const component = /<([A-Z][\w.]*)/g;

/**
 * MDX as Markdown: without the imports and exports of its components, and without comments. Components themselves cannot
 * be run; what they enclose stays, and they are named.
 */
export function withoutModules(body: string): ResolvedText {
  const names = new Set<string>();
  const text = new Lexer().lex(body).map(({ type, raw }) => {
    if (type === 'code') return raw;
    if (type === 'paragraph' && statement.test(raw)) return '\n\n';
    const rest = (type === 'heading' ? raw.replace(headingId, '{$1}') : raw).replace(comment, '');
    for (const [, name = ''] of rest.matchAll(component)) names.add(name);
    return rest;
  });
  const list = [...names].slice(0, 20).join(', ');
  return {
    text: text.join(''),
    warnings: names.size === 0 ? [] : [`components were left out, what they enclose stays: ${list}`],
  };
}
