import { Option, type Command } from 'commander';
import { RedirectsService } from '../../src/redirects/redirects.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type {
  RedirectFormat,
  RedirectImportItem,
  RedirectImportReport,
  RedirectOutcome,
} from '../../src/shared/contracts/redirects.js';
import { formatColumns } from '../columns.js';
import type { WithContext } from '../context.js';
import { exitCodeFor } from '../exit-codes.js';
import { FORCE_OPTION, writeExport } from '../export-file.js';
import { guide } from '../guide.js';
import { printable } from '../printable.js';
import { readText } from '../read-file.js';

interface ImportFlags {
  readonly format?: RedirectFormat;
  readonly dryRun?: true;
  readonly json?: true;
}

const FORMATS: readonly RedirectFormat[] = ['csv', 'json', 'hosts'];

async function handleList(isJson: boolean, withContext: WithContext): Promise<void> {
  const redirects = await withContext((context) => context.get(RedirectsService).list(OPERATOR));
  if (isJson) return write(`${JSON.stringify(redirects, null, 2)}\n`);
  const rows = redirects.map(({ path, target, origin }) => [origin, path, target]);
  write(rows.length === 0 ? 'There are no redirects yet.\n' : formatColumns(rows));
}

async function handleImport(file: string, flags: ImportFlags, withContext: WithContext): Promise<void> {
  const text = await readText(file);
  const isDryRun = flags.dryRun === true;
  const report = await withContext((context) =>
    context.get(RedirectsService).import(OPERATOR, { text, name: file, format: flags.format }, { isDryRun }),
  );
  const counts = countOutcomes(report);
  write(flags.json ? `${JSON.stringify({ ...report, counts }, null, 2)}\n` : formatReport(report, counts));
  process.exitCode = exitCodeFor(report.items.length, counts.refused);
}

interface ExportFlags {
  readonly format?: RedirectFormat;
  readonly force?: true;
}

async function handleExport(
  path: string | undefined,
  { format, force }: ExportFlags,
  withContext: WithContext,
): Promise<void> {
  await writeExport({ path, isReplacing: force === true }, async (writeText) =>
    writeText(await withContext((context) => context.get(RedirectsService).export(OPERATOR, format, path))),
  );
}

async function handleAdd(path: string, target: string, withContext: WithContext): Promise<void> {
  const results = await withContext((context) => context.get(RedirectsService).save(OPERATOR, [{ path, target }]));
  for (const { reason, outcome, ...addresses } of results) {
    if (reason !== null) throw new Error(`${printable(addresses.path)}: ${reason}`);
    write(`${outcome}  ${addresses.path} -> ${addresses.target}\n`);
  }
}

async function handleRemove(paths: readonly string[], withContext: WithContext): Promise<void> {
  const { removed, unknown } = await withContext((context) => context.get(RedirectsService).remove(OPERATOR, paths));
  for (const path of removed) write(`removed  ${path}\n`);
  for (const path of unknown) process.stderr.write(`${printable(path)} has no redirect\n`);
  process.exitCode = exitCodeFor(removed.length + unknown.length, unknown.length);
}

type Counts = Record<RedirectOutcome, number>;

function countOutcomes({ items }: RedirectImportReport): Counts {
  const counts: Counts = { created: 0, changed: 0, unchanged: 0, needless: 0, refused: 0 };
  for (const { outcome } of items) counts[outcome] += 1;
  return counts;
}

/** Lists each redirect that changed or was refused, then the totals. */
function formatReport({ items, isDryRun }: RedirectImportReport, counts: Counts): string {
  const lines = items.filter(({ outcome }) => outcome !== 'unchanged').map(formatItem);
  const sums = Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`);
  const dryRun = isDryRun ? ' (dry run: nothing was written)' : '';
  return [...lines, ...(lines.length > 0 ? [''] : []), `${sums.join(', ')}${dryRun}`, ''].join('\n');
}

function formatItem({ place, path, target, outcome, reason }: RedirectImportItem): string {
  const addresses = printable(target === '' ? path : `${path} -> ${target}`);
  return `${outcome.padEnd(9)}  ${place}: ${addresses}${reason === null ? '' : `\n           reason: ${reason}`}`;
}

function write(text: string): void {
  process.stdout.write(text);
}

/** `redirects`: old addresses. */
export function registerRedirectCommands(program: Command, withContext: WithContext): void {
  const redirects = program.command('redirects').description('old addresses, and where they lead');
  registerList(redirects, withContext);
  registerImport(redirects, withContext);
  registerExport(redirects, withContext);
  registerChanges(redirects, withContext);
}

function registerList(redirects: Command, withContext: WithContext): void {
  const list = redirects
    .command('list')
    .description('every redirect, by its path: who recorded it, from where, to where')
    .option('--json', 'write JSON')
    .action((flags: { readonly json?: true }) => handleList(flags.json === true, withContext));
  guide(list, {
    examples: [
      ['', 'all of them'],
      ['--json', 'for programs'],
    ],
  });
}

function formatOption(description: string): Option {
  return new Option('--format <format>', description).choices(FORMATS);
}

function registerImport(redirects: Command, withContext: WithContext): void {
  const command = redirects
    .command('import')
    .description('take redirects in: CSV (path,target), JSON, or lines like "/old /new 301"; again, it changes nothing')
    .argument('<file>', 'what holds the redirects')
    .addOption(formatOption('what the file is, if neither its name nor its content tells'))
    .option('--dry-run', 'only say what would happen')
    .option('--json', 'write the report as JSON')
    .action((file: string, flags: ImportFlags) => handleImport(file, flags, withContext));
  guide(command, {
    partly: 'some redirects were refused; the report says why',
    examples: [
      ['old-addresses.csv --dry-run', 'see what would come in'],
      ['public/_redirects', 'take in the file of a static site'],
    ],
  });
}

function registerExport(redirects: Command, withContext: WithContext): void {
  const command = redirects
    .command('export')
    .description('every redirect in a file that can be imported again')
    .argument('[file]', 'where to write it; standard output by default')
    .addOption(
      formatOption('hosts is for lines like "/old /new 301"; by default what the name of the file says, or csv'),
    )
    .option(...FORCE_OPTION)
    .action((file: string | undefined, flags: ExportFlags) => handleExport(file, flags, withContext));
  guide(command, {
    examples: [
      ['redirects.csv', 'a file for a spreadsheet'],
      ['redirects.json', 'a file for a program'],
      ['--format hosts > _redirects', 'a file for the host of a static site'],
    ],
  });
}

function registerChanges(redirects: Command, withContext: WithContext): void {
  const add = redirects
    .command('add')
    .description('let an old address, or all of a pattern, lead somewhere; replaces where it led before')
    .argument('<address>', 'the old address, from the root of the site; :names and a * at its end make a pattern')
    .argument('<target>', 'a path of this site, or an address that begins with https://')
    .action((path: string, target: string) => handleAdd(path, target, withContext));
  guide(add, {
    remarks:
      'In patterns, :year, :month and :day are numbers, other names any part of an address, and :splat in the target is what the * stands for. Redirects of one address come first. A * that is no pattern is written as %2A.',
    examples: [
      ['/2019/05/backups.html /blogs/backups', 'lead readers of an old page to a post'],
      ["'/:year/:month/:slug' '/blogs/:slug'", 'lead readers of all old posts to them'],
      ["'/wiki/*' 'https://wiki.example.com/:splat'", 'lead everything below an address to another site'],
    ],
  });
  const remove = redirects
    .command('remove')
    .description('remove redirects')
    .argument('<address...>', 'the old addresses')
    .action((paths: string[]) => handleRemove(paths, withContext));
  guide(remove, {
    partly: 'some addresses have no redirect, and are named',
    examples: [['/2019/05/backups.html', 'let an old address be unknown again']],
  });
}
