import { Option, type Command } from 'commander';
import { PostsExportService } from '../../src/export/posts-export.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import {
  exportFormats,
  type ExportFormat,
  type ExportItem,
  type ExportOptions,
  type ExportReport,
} from '../../src/shared/contracts/export-report.js';
import { describeUnknownPost } from '../../src/shared/unknown-post.js';
import { paint } from '../colors.js';
import type { WithContext } from '../context.js';
import { EXIT_CODES } from '../exit-codes.js';
import { guide } from '../guide.js';
import { noProgress, showProgress } from '../import-progress.js';
import { printable, printableLine } from '../printable.js';

interface Flags {
  readonly format?: ExportFormat;
  readonly publishedOnly?: true;
  readonly tag?: readonly string[];
  readonly category?: string;
  readonly slug?: readonly string[];
  readonly force?: true;
  readonly json?: true;
}

const TONES = { exported: 'good', incomplete: 'bad', skipped: 'quiet' } as const;

async function handleExport(destination: string, flags: Flags, withContext: WithContext): Promise<void> {
  const progress = flags.json ? noProgress : showProgress(process.stderr, 'posts');
  const report = await withContext(async (context) => {
    try {
      return await context
        .get(PostsExportService)
        .export(OPERATOR, destination, toOptions(flags), (done, total) => progress.update(done, total));
    } finally {
      progress.stop();
    }
  });
  const counts = countOutcomes(report);
  process.stdout.write(flags.json ? `${JSON.stringify({ ...report, counts }, null, 2)}\n` : formatReport(report));
  for (const slug of report.unknown) process.stderr.write(`${describeUnknownPost(slug)}\n`);
  if (counts.incomplete + report.unknown.length > 0) process.exitCode = EXIT_CODES.someRefused;
}

function toOptions({ format, publishedOnly, tag, category, slug, force }: Flags): ExportOptions {
  return {
    ...(format === undefined ? {} : { format }),
    ...(tag === undefined ? {} : { tags: tag }),
    ...(category === undefined ? {} : { category }),
    ...(slug === undefined ? {} : { slugs: slug }),
    isPublishedOnly: publishedOnly === true,
    isReplacing: force === true,
  };
}

function countOutcomes({ items }: ExportReport): Record<ExportItem['outcome'], number> {
  const counts = { exported: 0, incomplete: 0, skipped: 0 };
  for (const { outcome } of items) counts[outcome] += 1;
  return counts;
}

/** Lists the posts with reasons or notes, then the totals and the destination. */
function formatReport(report: ExportReport): string {
  const { exported, incomplete, skipped } = countOutcomes(report);
  const lines = report.items.filter(({ reasons, notes }) => reasons.length + notes.length > 0).flatMap(formatItem);
  const sums = `${exported} exported, ${incomplete} incomplete, ${skipped} skipped, ${report.images} images`;
  const losses = report.losses.map(
    ({ what, posts }) => `not in the export, of ${posts} post${posts === 1 ? '' : 's'}: ${printable(what)}`,
  );
  const end = [...losses, `${sums}: ${report.destination}`];
  return `${[...lines, ...(lines.length > 0 ? [''] : []), ...end].join('\n')}\n`;
}

function formatItem({ outcome, slug, reasons, notes }: ExportItem): string[] {
  return [
    `${paint(TONES[outcome], outcome.padEnd(10))}  ${printableLine(slug)}`,
    ...reasons.map((reason) => `            reason: ${reason}`),
    ...notes.map((note) => `            note: ${note}`),
  ];
}

/** `posts export`. */
export function registerExportCommand(posts: Command, withContext: WithContext): void {
  const command = posts
    .command('export')
    .description('write the posts out, with their images, for another site or for this one again')
    .argument('<destination>', 'a new or empty folder, or a new file for JSON')
    .addOption(
      new Option(
        '--format <format>',
        'what to write: wxr is for WordPress; JSON if the destination ends in .json, else Markdown',
      ).choices(exportFormats),
    )
    .option('--published-only', 'leave drafts out')
    .option('--tag <tag...>', 'only posts that have all of these tags')
    .option('--category <category>', 'only posts of this category')
    .option('--slug <slug...>', 'only these posts')
    .option('--force', 'replace an earlier export at the same place, and nothing else')
    .option('--json', 'write the report as JSON')
    .action((destination: string, flags: Flags) => handleExport(destination, flags, withContext));
  guide(command, {
    partly:
      'some posts were written without an image that is gone, or no post has a slug that was named; each is named',
    remarks:
      'WordPress takes posts.xml of the folder with Tools, Import, and fetches the images from this site as long as it is there. ' +
      'Ghost takes the folder as a zip file. What a format has no place for is in the report, with its count: ' +
      'for Markdown and JSON that is nothing. ' +
      'Drafts are written too, the trash is not, and edits that nobody saved are named in the report. `posts import` ' +
      'makes the same posts of it; addresses of an old site that lead to lists are in `redirects export`. Only its owner can read the files, unless `--published-only` leaves out what readers do not know. For everything else of the site there is `backup create`.',
    examples: [
      ['./posts', 'write a folder of Markdown with front matter, and the images in it'],
      ['./for-wordpress --format wxr', 'write an export as WordPress writes it, and the images'],
      ['posts.json', 'write one JSON file, and the images in a folder beside it'],
      ['./posts --published-only --category Security --force', 'write some posts over an earlier export'],
    ],
  });
}
