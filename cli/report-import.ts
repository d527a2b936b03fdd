import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { describeWriteFailure } from '../src/http/disk-full.js';
import type { ImportItem } from '../src/shared/contracts/import-report.js';
import { exitCodeFor } from './exit-codes.js';
import { noProgress, showProgress, type ProgressDisplay } from './import-progress.js';
import { fileReport, jsonReport, noCounts, textReport, type ImportCounts, type ReportWriter } from './import-report.js';

/** The options about reports that every importing command has. */
export interface ReportFlags {
  readonly dryRun?: true;
  readonly report?: string;
  readonly json?: true;
}

/**
 * Refuses to write the report over what is to be imported.
 * @throws Error if both are one file, by whatever path
 */
export function spareSource(source: string, { report }: ReportFlags): void {
  const [read, written] = [source, report].map((path) =>
    path === undefined ? undefined : statSync(path, { throwIfNoEntry: false }),
  );
  if (read === undefined || written === undefined || read.ino !== written.ino || read.dev !== written.dev) return;
  throw new Error(`${report} is what would be imported: the report needs a file of its own`);
}

/** @throws Error that names the file where no report can be written: found out later, half of an import would be done */
function requireWritable(report: string): void {
  try {
    const found = statSync(report, { throwIfNoEntry: false });
    accessSync(found === undefined ? dirname(report) : report, constants.W_OK);
    if (found?.isDirectory() !== true) return;
  } catch (error) {
    throw new Error(`${report} cannot be written: ${describeWriteFailure(error)}`, { cause: error });
  }
  throw new Error(`${report} is a folder`);
}

/**
 * Runs an import, shows its progress and the outcome of each item, and sets the exit code. The reports of one that breaks
 * off end with what was done until then, and with the reason.
 * @param things the imported things, in the plural
 * @param site the address of this site, for links in a page
 * @param start begins the import, reports progress to the display, and lets it make room for questions
 */
export async function reportImport(
  flags: ReportFlags,
  things: string,
  start: (progress: Pick<ProgressDisplay, 'update' | 'makeRoom'>) => AsyncIterable<ImportItem>,
  site?: string,
): Promise<void> {
  if (flags.report !== undefined) requireWritable(flags.report);
  const progress = flags.json ? noProgress : showProgress(process.stderr, things);
  const counts = noCounts();
  let reports: readonly ReportWriter[] | null = null;
  try {
    try {
      for await (const item of start(progress)) {
        reports ??= openReports(flags, site);
        progress.makeRoom();
        counts[item.outcome] += 1;
        for (const report of reports) report.add(item);
      }
    } finally {
      progress.stop();
    }
  } catch (error) {
    for (const report of reports ?? []) endBrokenOff(report, counts, error);
    throw error;
  }
  for (const report of reports ?? openReports(flags, site)) report.end(counts);
  const items = Object.values(counts).reduce((sum, count) => sum + count, 0) - counts.skipped;
  process.exitCode = exitCodeFor(items, counts.refused);
}

function endBrokenOff(report: ReportWriter, counts: ImportCounts, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  try {
    report.end(counts, message === '' ? 'it was interrupted' : message);
  } catch {
    // Its disk may be why the import broke off, which is what has to be said.
  }
}

/** Opens the reports when there is something to report, so that an import that cannot start leaves no half a report. */
function openReports({ json, report, dryRun }: ReportFlags, site: string | undefined): ReportWriter[] {
  const write = (text: string) => void process.stdout.write(text);
  const isDryRun = dryRun === true;
  const shown = json ? jsonReport(write, isDryRun) : textReport(write, isDryRun);
  return [shown, ...(report === undefined ? [] : [fileReport(report, isDryRun, site)])];
}
