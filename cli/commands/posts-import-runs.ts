import { InvalidArgumentError, type Command } from 'commander';
import { CONFIG, type Config } from '../../src/config/config.js';
import { ImportRunsService, type ImportRunSummary } from '../../src/import/import-runs.service.js';
import { ImportUndoService, type UndoneItem, type UndoOutcome } from '../../src/import/import-undo.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { describeMoment } from '../../src/shared/moments.js';
import { formatColumns } from '../columns.js';
import { confirm } from '../confirm.js';
import { withContext as withOwnContext, type WithContext } from '../context.js';
import { EXIT_CODES, exitCodeFor } from '../exit-codes.js';
import { commandLine, guide } from '../guide.js';
import { keepHeapSmall } from '../keep-heap-small.js';
import { printable } from '../printable.js';
import { writeJson } from '../write-json.js';

interface UndoFlags {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
}

const STATES = { running: 'running', ended: 'ended', 'broken-off': 'broken off' } as const;
const DONE = { trashed: 'to the trash', restored: 'as before', left: 'left' } as const satisfies Record<
  UndoOutcome,
  string
>;

async function handleList(isJson: boolean, withContext: WithContext): Promise<void> {
  const { runs, timeZone } = await withContext(async (context) => ({
    runs: await context.get(ImportRunsService).list(OPERATOR),
    timeZone: context.get<Config>(CONFIG).site.timeZone,
  }));
  if (isJson) writeJson(runs.map(toRecord));
  else if (runs.length === 0) process.stdout.write('No import has written anything yet.\n');
  else process.stdout.write(formatColumns(runs.map((run) => toRow(run, timeZone))));
}

function toRecord({ id, state, startedAt, endedAt, path, sourceName, ...rest }: ImportRunSummary) {
  return {
    id,
    state,
    started_at: startedAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
    path,
    source: sourceName,
    ...rest,
  };
}

function toRow({ id, startedAt, state, created, updated, undone, path, sourceName }: ImportRunSummary, zone: string) {
  return [
    String(id),
    describeMoment(startedAt, zone),
    STATES[state],
    `${created} created, ${updated} updated${undone > 0 ? `, ${undone} undone` : ''}`,
    sourceName === null ? path : `${sourceName}, ${path}`,
  ];
}

async function handleUndo(command: Command, id: number, flags: UndoFlags, withContext: WithContext): Promise<void> {
  if (withContext === withOwnContext) keepHeapSmall();
  await withContext(async (context) => {
    const undoing = context.get(ImportUndoService);
    const run = await context.get(ImportRunsService).find(OPERATOR, id);
    if (run === null) {
      const list = command.parent === null ? '' : commandLine(command.parent, 'list');
      throw new Error(`there is no import ${id} that wrote anything (${list})`);
    }
    const plan = await collect(undoing.undo(OPERATOR, id, { isDryRun: true }));
    const doable = countOutcomes(plan).left < plan.length;
    if (doable && !flags.dryRun && !flags.yes) {
      (flags.json ? process.stderr : process.stdout).write(formatItems(plan));
      if (!(await confirm(`Undo import ${id} of ${printable(run.sourceName ?? run.path)}?`))) {
        process.exitCode = EXIT_CODES.nothingDone;
        process.stderr.write('Nothing was changed.\n');
        return;
      }
    }
    const items: UndoneItem[] = [];
    try {
      for await (const item of doable && !flags.dryRun ? undoing.undo(OPERATOR, id) : plan) items.push(item);
    } catch (error) {
      // What was undone until then stays so.
      if (items.length > 0) report(id, flags, items, error instanceof Error ? error.message : String(error));
      throw error;
    }
    report(id, flags, items);
  });
}

async function collect(items: AsyncIterable<UndoneItem>): Promise<UndoneItem[]> {
  const all: UndoneItem[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** @param failure why it broke off */
function report(run: number, { dryRun, json }: UndoFlags, items: readonly UndoneItem[], failure?: string): void {
  const counts = countOutcomes(items);
  process.exitCode = exitCodeFor(items.length, counts.left);
  if (json) {
    const record = { run, isDryRun: dryRun === true, items, counts };
    const end = failure === undefined ? record : { ...record, error: failure };
    writeJson(end);
    return;
  }
  if (items.length === 0) {
    process.stdout.write(`Nothing is left of import ${run} that could be undone.\n`);
    return;
  }
  const end = failure === undefined ? '' : ', then it broke off';
  process.stdout.write(`${formatItems(items).trimEnd()}${dryRun ? ' (dry run: nothing was written)' : end}\n`);
}

function countOutcomes(items: readonly UndoneItem[]): Record<UndoOutcome, number> {
  const counts = { trashed: 0, restored: 0, left: 0 };
  for (const { outcome } of items) counts[outcome] += 1;
  return counts;
}

function formatItems(items: readonly UndoneItem[]): string {
  const { trashed, restored, left } = countOutcomes(items);
  const rows = items.map(({ outcome, slug, title, reason }) => [DONE[outcome], slug, reason ?? title]);
  const notes = items.flatMap(({ slug, notes }) => notes.map((note) => `note: ${printable(`${slug}: ${note}`)}\n`));
  const sums = `${trashed} to the trash, ${restored} as before, ${left} left as they are`;
  return `${formatColumns(rows)}${notes.join('')}${sums}\n`;
}

function readRun(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It is a number of posts import list.');
  return Number(text);
}

/** `posts import list` and `posts import undo`. */
export function registerImportRunCommands(imports: Command, withContext: WithContext): void {
  const list = imports
    .command('list')
    .description('the imports that wrote something, the latest first')
    .option('--json', 'write JSON')
    .action((flags: { readonly json?: true }) => handleList(flags.json === true, withContext));
  guide(list, {
    remarks: 'A folder that is called list is imported as ./list.',
    examples: [
      ['', 'all of them, with the numbers by which they are undone'],
      ['--json', 'for programs, with their options and counts'],
    ],
  });
  const undo = imports
    .command('undo')
    .description('take back what an import did, but for posts that were touched since')
    .argument('<run>', 'the number of the import', readRun)
    .option('--dry-run', 'only show what would become of each post')
    .option('--yes', 'do not ask')
    .option('--json', 'write JSON')
    .action((run: number, flags: UndoFlags) => handleUndo(undo, run, flags, withContext));
  guide(undo, {
    partly: 'some posts were left as they are, and are named with the reason',
    remarks:
      'Posts that it created go into the trash; others get back their text, dates and publication; redirects that it made go, or lead ' +
      'where they led before; comments go that it brought, and others are what they were. A publication at the time that it had planned is its ' +
      'work too. A post that anybody edited, published, took back or moved since stays as it is, and one that a later import wrote ' +
      'waits for the undoing of that. What a broken-off import did until then is undone as well. While an import runs, nothing is undone. ' +
      'Importing again creates the posts again, in the place of those in the trash. Pictures stay, for as long as pictures stay that nothing shows.',
    examples: [
      ['7 --dry-run', 'see what would become of each post'],
      ['7', 'undo it, after a question'],
      ['7 --yes --json', 'for programs'],
    ],
  });
}
