import { closeSync, openSync, writeSync } from 'node:fs';
import {
  importOutcomes,
  PAGE_THERE,
  typeOfReason,
  type ImportItem,
  type ImportOutcome,
} from '../src/shared/contracts/import-report.js';
import { paint, type Tone } from './colors.js';
import { CommentSums } from './comment-sums.js';
import { FoldedItems } from './folded-items.js';
import { htmlReport } from './import-report-html.js';
import { NoteCounter } from './note-counter.js';
import { printable, printableLine } from './printable.js';

/** How many items had which outcome. */
export type ImportCounts = Record<ImportOutcome, number>;

/** A report that is written while the import runs, so that its length costs no memory. */
export interface ReportWriter {
  add(item: ImportItem): void;
  /** @param failure why the import broke off; undefined for one that came to its end */
  end(counts: ImportCounts, failure?: string): void;
}

type Write = (text: string) => void;

/** Refused items that are held back for the end of the report, where people look for them. */
const MAX_HELD_BACK = 1000;

const TONES = {
  created: 'good',
  updated: 'good',
  unchanged: 'quiet',
  skipped: 'quiet',
  refused: 'bad',
} as const satisfies Record<ImportOutcome, Tone>;

/** Writes the word in its color, or as it is. */
type Color = (outcome: ImportOutcome, word: string) => string;

/** For what is written to the standard output. */
const painted: Color = (outcome, word) => paint(TONES[outcome], word);
const plain: Color = (_outcome, word) => word;

/** No items yet. */
export function noCounts(): ImportCounts {
  return Object.fromEntries(importOutcomes.map((outcome) => [outcome, 0])) as ImportCounts;
}

/** Writes the report for people: every item with its outcome, the refused ones last, then the totals. */
export function textReport(write: Write, isDryRun: boolean, color: Color = painted): ReportWriter {
  const heldBack: string[] = [];
  let redirects = 0;
  let pages = 0;
  const types = new Map<string, number>();
  const comments = new CommentSums();
  const folded = new FoldedItems();
  const states = { published: 0, scheduled: 0, draft: 0, trash: 0 };
  return {
    add(item) {
      if (folded.take(item)) return;
      const text = formatItem(item, color);
      redirects += item.redirects.length + (item.lists?.length ?? 0);
      comments.add(item);
      if (item.reasons.includes(PAGE_THERE)) pages += 1;
      for (const type of item.reasons.flatMap((reason) => typeOfReason(reason) ?? []))
        types.set(type, (types.get(type) ?? 0) + 1);
      if (item.outcome === 'created' && item.state !== undefined) states[item.state] += 1;
      if (item.outcome === 'refused' && heldBack.length < MAX_HELD_BACK) heldBack.push(text);
      else write(text);
    },
    end(counts, failure) {
      const sums = importOutcomes.filter((outcome) => outcome !== 'skipped' || counts.skipped > 0);
      const hidden = describeHidden(states);
      const words = sums.map((outcome) => `${counts[outcome]} ${outcome}${outcome === 'created' ? hidden : ''}`);
      const leading =
        redirects === 0 ? '' : `; ${redirects} old ${redirects === 1 ? 'address leads' : 'addresses lead'} on`;
      const dryRun = isDryRun ? ' (dry run: nothing was written)' : '';
      const left =
        pages === 0 ? '' : `\n${pages} ${pages === 1 ? 'page' : 'pages'} not taken: --pages makes posts of them`;
      const kinds = [...types].map(([type, count]) => `${count} of the type ${printable(type)}`);
      const kept = kinds.length === 0 ? '' : `\nnot taken, as nothing here is like them: ${kinds.join(', ')}`;
      const said = comments.describe();
      const sum = folded.describe();
      const end = failure === undefined ? '' : `\nThe import broke off: ${printable(failure)}`;
      const others = sum === '' ? '' : `\n${sum} (--json names them)`;
      write(
        `${heldBack.join('')}${others}${left}${kept}${said === '' ? '' : `\n${said}`}${end}\n${words.join(', ')}${leading}${dryRun}\n`,
      );
    },
  };
}

/** The report for programs: `{isDryRun, items, counts, comments, notes}`, each kind of note once with the number of items that have it; and `error` where the import broke off. */
export function jsonReport(write: Write, isDryRun: boolean): ReportWriter {
  let separator = '\n';
  const notes = new NoteCounter();
  const comments = new CommentSums();
  write(`{\n  "isDryRun": ${String(isDryRun)},\n  "items": [`);
  return {
    add(item) {
      notes.add(item);
      comments.add(item);
      write(`${separator}    ${JSON.stringify(item)}`);
      separator = ',\n';
    },
    end(counts, failure) {
      const error = failure === undefined ? '' : `,\n  "error": ${JSON.stringify(failure)}`;
      write(
        `${separator === '\n' ? '' : '\n  '}],\n  "counts": ${JSON.stringify(counts)},\n  "comments": ${JSON.stringify(comments.toJson())},\n  "notes": ${JSON.stringify(notes.list())}${error}\n}\n`,
      );
    },
  };
}

/**
 * The report as a file: JSON or a page of HTML if its name says so. The file is made at once: a path that is none fails early.
 * A new one is for its owner only; one that is there keeps its rights.
 * @param site the address of this site, for links
 */
export function fileReport(path: string, isDryRun: boolean, site?: string): ReportWriter {
  // It names people, and what is a draft here.
  const file = openSync(path, 'w', 0o600);
  const write: Write = (text) => void writeSync(file, text);
  const report = openReport(path, write, isDryRun, site);
  return {
    add: (item) => report.add(item),
    end(counts, failure) {
      report.end(counts, failure);
      closeSync(file);
    },
  };
}

function openReport(path: string, write: Write, isDryRun: boolean, site: string | undefined): ReportWriter {
  if (path.endsWith('.json')) return jsonReport(write, isDryRun);
  return /\.html?$/.test(path) ? htmlReport(write, isDryRun, site) : textReport(write, isDryRun, plain);
}

function formatItem(item: ImportItem, color: Color): string {
  const address =
    item.outcome === 'refused' || item.slug === null
      ? ''
      : ` -> ${printableLine(item.slug)}${item.state === undefined ? '' : ` (${describeState(item)})`}`;
  const lines = [
    `${color(item.outcome, item.outcome.padEnd(9))}  ${printableLine(item.file)}${address}`,
    ...item.reasons.map((reason) => `           reason: ${printable(reason)}`),
    ...item.warnings.map((warning) => `           note: ${printable(warning)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function describeState({ state, publishAt }: ImportItem): string {
  if (state === 'scheduled') return `scheduled for ${publishAt}`;
  return state === 'trash' ? 'in the trash' : (state ?? '');
}

/** Counts the created posts that readers cannot see yet. */
function describeHidden({ draft, scheduled }: { readonly draft: number; readonly scheduled: number }): string {
  const drafts = draft === 0 ? [] : [`${draft} of them as ${draft === 1 ? 'a draft' : 'drafts'}`];
  const parts = [...drafts, ...(scheduled === 0 ? [] : [`${scheduled} scheduled`])];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
