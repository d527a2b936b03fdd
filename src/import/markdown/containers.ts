import { escapeHtml } from '../html-text.js';
import type { AlertReading } from './alerts.js';
import { fenceOf } from './code-fence.js';
import type { ResolvedText } from './template-leftovers.js';

const opening = /^([ \t>]*)(:{3,})[ \t]*(?:(?=\{[^}.]*\.([\w-]+)[^}]*\})|([a-zA-Z][\w-]*))([^\n]*)$/;
const closing = /^[ \t>]*(:{3,})[ \t]*$/;
const listItem = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
const alert = /^([ \t]*(?:>[ \t]?)+)\[!(note|tip|important|warning|caution)\][ \t]*$/i;
const tab = /^([ \t>]*)@tab(?::active)?[ \t]+([^\n]{1,200})$/;
const notes =
  /^(?:note|tip|info|warning|danger|caution|important|success|question|abstract|example|quote|hint|error|secondary|seealso|theorem)$/i;

const alertNotes = {
  text: 'alerts of GitHub stay text, as nothing there makes boxes of them (such as [!NOTE])',
  unknown: 'alerts of GitHub became boxes; unless the theme made some of them, they were text there (such as [!NOTE])',
} as const;

interface Opened {
  readonly line: number;
  readonly prefix: string;
  readonly colons: number;
  readonly kind: string;
  readonly title: string;
}

/**
 * Boxes that Docusaurus, VuePress, Starlight and others write between colons (`:::note Title`), as quotations that begin with their title, or as
 * `<details>`; alerts of GitHub as well, if the site made boxes of them. Of other containers, which belong to a theme, what they enclose stays, and they are named.
 */
export function resolveContainers(markdown: string, alerts: AlertReading = 'box'): ResolvedText {
  if (!/^[ \t>]*(?::{3}|>[ \t]?\[!)/m.test(markdown)) return { text: markdown, warnings: [] };
  const lines = markdown.split('\n');
  const open: Opened[] = [];
  const taken = new Set<string>();
  let fenced = '';
  let alerted = 0;
  for (const [index, line] of lines.entries()) {
    const sign = fenceOf(line);
    if (fenced !== '') {
      if (sign.startsWith(fenced) && /[`~][ \t]*$/.test(line)) fenced = '';
      continue;
    }
    if (sign !== '') {
      fenced = sign;
      continue;
    }
    const [, quote, level = ''] = alert.exec(line) ?? [];
    if (quote !== undefined) alerted += 1;
    if (quote !== undefined && alerts !== 'text') lines[index] = `${quote}**${capital(level)}**\n${quote}`;
    const [, prefix = '', colons = '', name, word = '', rest = ''] = opening.exec(line) ?? [];
    if (colons !== '' && !isCode(lines, index, prefix)) {
      open.push({ line: index, prefix, colons: colons.length, kind: name ?? word, title: titleOf(rest) });
      continue;
    }
    const length = closing.exec(line)?.[1]?.length ?? 0;
    const at = length === 0 ? -1 : open.findLastIndex((one) => one.colons === length);
    const found = open[at];
    if (found === undefined) {
      if (open.some(({ kind }) => /tabs|code-group/.test(kind))) {
        lines[index] = line.replace(tab, (_all, before: string, label: string) => `${before}**${label.trim()}**`);
      }
      continue;
    }
    open.length = at;
    const [start, end] = marksOf(found, taken);
    lines[found.line] = start;
    lines[index] = end;
  }
  const names = [...taken].slice(0, 10).map((kind) => `:::${kind}`);
  return {
    text: lines.join('\n'),
    warnings: [
      ...(names.length === 0 ? [] : [`containers were taken off, what they enclose stays: ${names.join(', ')}`]),
      ...(alerted === 0 || alerts === 'box' ? [] : [`${alertNotes[alerts]}: ${alerted}`]),
    ],
  };
}

/** The lines in place of the two marks, with empty ones, as Markdown in HTML is read after them only. */
function marksOf({ kind, title, prefix }: Opened, taken: Set<string>): [start: string, end: string] {
  const empty = prefix.trimEnd();
  const between = (text: string) => [empty, prefix + text, empty].join('\n');
  if (kind === 'details') {
    const summary = escapeHtml(title || 'Details');
    return [between(`<details><summary>${summary}</summary>`), between('</details>')];
  }
  if (!notes.test(kind)) {
    taken.add(kind);
    const isTitled = title !== '' && !title.startsWith('#');
    return [isTitled ? between(`**${title}**`) : empty, empty];
  }
  const start = `${between('<blockquote>')}\n${prefix}**${title || capital(kind)}**\n${empty}`;
  return [start, between('</blockquote>')];
}

/** A title may stand in brackets, with attributes behind it, or be one of these. */
function titleOf(rest: string): string {
  const [attributes = ''] = /\{(?:[^{}"]|"[^"]{0,500}"){0,500}\}\s*$/.exec(rest) ?? [];
  const text = rest.slice(0, rest.length - attributes.length).trim();
  const [, double, single] = /[\s{](?:title|label|summary)=(?:"([^"]*)"|'([^']*)')/.exec(attributes) ?? [];
  const title = (/^\[(.*)\]$/.exec(text)?.[1] ?? text).replaceAll('*', '').trim();
  return title === '' ? (double ?? single ?? '').replaceAll('*', '').trim() : title;
}

/** Returns true for a line that is indented like code, and is no part of a list. */
function isCode(lines: readonly string[], index: number, prefix: string): boolean {
  const indent = prefix.replace(/^.*>[ \t]?/, '').replaceAll('\t', '    ').length;
  if (indent < 4) return false;
  const above = lines.slice(0, index).findLast((line) => line.trim() !== '' && indentOf(line) < indent);
  return above === undefined || !listItem.test(above);
}

function indentOf(line: string): number {
  return line.replaceAll('\t', '    ').search(/\S/);
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
}
