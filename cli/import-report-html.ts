import type { ImportItem, ImportOutcome } from '../src/shared/contracts/import-report.js';
import { paths } from '../src/shared/paths.js';
import type { ImportCounts, ReportWriter } from './import-report.js';
import { adviceOn } from './import-advice.js';
import { FoldedItems } from './folded-items.js';
import { CommentSums } from './comment-sums.js';
import { NoteCounter } from './note-counter.js';
import { printable } from './printable.js';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}:root{color-scheme:light dark}' +
  'table{border-collapse:collapse}td{padding:.25rem 0;text-align:left;vertical-align:top}' +
  'h3{margin:1.5rem 0 0;font-size:1rem}ul{margin:0}h3,p,td+td,ul{overflow-wrap:anywhere}' +
  'td:first-child{padding-right:1rem;text-align:right}';

const WORDS: Readonly<Record<ImportOutcome, string>> = {
  created: 'created',
  updated: 'updated',
  unchanged: 'unchanged',
  skipped: 'not taken, as they are no posts or not wanted',
  refused: 'refused',
};

/**
 * Writes the report as a page: totals, what needs a decision, each kind of note once with its count, then every item with
 * what was changed. It is written at the end, as the totals come first.
 * @param site the address of this site, for links to what can be read here
 */
export function htmlReport(write: (text: string) => void, isDryRun: boolean, site: string | undefined): ReportWriter {
  const decisions: string[] = [];
  const others: string[] = [];
  const notes = new NoteCounter();
  const comments = new CommentSums();
  const folded = new FoldedItems();
  const library: string[] = [];
  let redirects = 0;
  return {
    add(item) {
      notes.add(item);
      comments.add(item);
      redirects += item.redirects.length + (item.lists?.length ?? 0);
      if (folded.take(item)) {
        library.push(`<li>${escape(item.file)}</li>`);
        return;
      }
      (item.outcome === 'refused' ? decisions : others).push(describeItem(item, site));
    },
    end(counts, failure) {
      const kinds = notes.list().map(({ note, count }) => describeKind(note, count));
      const parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        `<title>Import${isDryRun ? ' (dry run)' : ''}</title>\n<style>${STYLE}</style>\n</head>\n<body>`,
        `<h1>Import</h1>${isDryRun ? '\n<p>A dry run: nothing was written.</p>' : ''}`,
        ...(failure === undefined ? [] : [`<p>The import broke off: ${escape(failure)}</p>`]),
        `<table>\n${totals(counts, redirects)}\n</table>`,
        ...(comments.describe() === '' ? [] : [`<p>${escape(comments.describe())}</p>`]),
        ...section(`What needs a decision (${decisions.length})`, decisions.join('\n')),
        ...section('What was changed or left out', kinds.length === 0 ? '' : `<table>\n${kinds.join('\n')}\n</table>`),
        ...(library.length === 0
          ? []
          : [`<details>\n<summary>${folded.describe()}</summary>\n<ul>\n${library.join('\n')}\n</ul>\n</details>`]),
        ...section(`All others (${others.length})`, others.join('\n')),
        '</body>\n</html>\n',
      ];
      write(parts.join('\n'));
    },
  };
}

function totals(counts: ImportCounts, redirects: number): string {
  const rows = Object.entries(WORDS).map(([outcome, words]) => [counts[outcome as ImportOutcome], words] as const);
  const all = [...rows, [redirects, 'old addresses that lead on'] as const];
  return all.map(([count, words]) => `<tr><td>${count}</td><td>${words}</td></tr>`).join('\n');
}

function describeKind(note: string, count: number): string {
  const advice = adviceOn(note);
  const toDo = advice === null ? '' : `<br>\n<small>What to do: ${escape(advice)}</small>`;
  return `<tr><td>${count}</td><td>${escape(note)}${toDo}</td></tr>`;
}

function section(heading: string, content: string): string[] {
  return content === '' ? [] : [`<h2>${heading}</h2>`, content];
}

function describeItem(
  { file, slug, outcome, state, reasons, warnings, redirects, lists = [] }: ImportItem,
  site: string | undefined,
) {
  const address = slug === null ? '' : paths.blog(slug);
  const isPublic = state === 'published' && outcome !== 'refused';
  const name = slug === null || outcome === 'refused' ? '' : ` ${escape(address)}`;
  const link = isPublic && site !== undefined ? ` <a href="${escape(site + address)}">${escape(address)}</a>` : name;
  const led = [
    ...redirects.map((path) => `${path} leads here`),
    ...lists.map(({ path, target }) => `${path} leads to ${target}`),
  ];
  const lines = [...reasons, ...warnings, ...led];
  const list = lines.length === 0 ? '' : `\n<ul>\n${lines.map((line) => `<li>${escape(line)}</li>`).join('\n')}\n</ul>`;
  const words = state === undefined ? outcome : `${outcome}, ${state}`;
  // A name from right to left leaves what follows where it is.
  return `<h3><bdi>${escape(file)}</bdi>:${link} (${words})</h3>${list}`;
}

function escape(text: string): string {
  return printable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
