import type { ImportItem, ImportOutcome, ImportReport } from '../src/shared/contracts/import-report.js';
import { paint, type Tone } from './colours.js';

const TONES = { created: 'good', updated: 'good', unchanged: 'quiet', refused: 'bad' } as const satisfies Record<
  ImportOutcome,
  Tone
>;

/** How many files had which outcome. */
export function countOutcomes({ items }: ImportReport): Record<ImportOutcome, number> {
  const counts = { created: 0, updated: 0, unchanged: 0, refused: 0 };
  for (const item of items) counts[item.outcome] += 1;
  return counts;
}

/** The closing report for people: every file with what became of it, the refused ones last, then the sums. */
export function formatImportReport(report: ImportReport): string {
  const { created, updated, unchanged, refused } = countOutcomes(report);
  const taken = report.items.filter((item) => item.outcome !== 'refused');
  const lines = [...taken, ...report.items.filter((item) => item.outcome === 'refused')].flatMap(formatItem);
  const sums = `${created} created, ${updated} updated, ${unchanged} unchanged, ${refused} refused`;
  const dryRun = report.isDryRun ? ' (dry run: nothing was written)' : '';
  return `${[...lines, '', `${sums}${dryRun}`].join('\n')}\n`;
}

function formatItem(item: ImportItem): string[] {
  const address = item.outcome === 'refused' || item.slug === null ? '' : ` -> ${item.slug}`;
  return [
    `${paint(TONES[item.outcome], item.outcome.padEnd(9))}  ${item.file}${address}`,
    ...item.reasons.map((reason) => `           reason: ${reason}`),
    ...item.warnings.map((warning) => `           note: ${warning}`),
  ];
}
