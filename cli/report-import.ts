import { statSync } from 'node:fs';
import type { ImportItem } from '../src/shared/contracts/import-report.js';
import { exitCodeFor } from './exit-codes.js';
import { noProgress, showProgress, type ProgressDisplay } from './import-progress.js';
import { fileReport, jsonReport, noCounts, textReport, type ReportWriter } from './import-report.js';

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

/**
 * Runs an import, shows its progress and the outcome of each item, and sets the exit code.
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
  const progress = flags.json ? noProgress : showProgress(process.stderr, things);
  const counts = noCounts();
  let reports: readonly ReportWriter[] | null = null;
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
  for (const report of reports ?? openReports(flags, site)) report.end(counts);
  const items = Object.values(counts).reduce((sum, count) => sum + count, 0) - counts.skipped;
  process.exitCode = exitCodeFor(items, counts.refused);
}

/** Opens the reports when there is something to report, so that an import that cannot start leaves no half a report. */
function openReports({ json, report, dryRun }: ReportFlags, site: string | undefined): ReportWriter[] {
  const write = (text: string) => void process.stdout.write(text);
  const isDryRun = dryRun === true;
  const shown = json ? jsonReport(write, isDryRun) : textReport(write, isDryRun);
  return [shown, ...(report === undefined ? [] : [fileReport(report, isDryRun, site)])];
}
