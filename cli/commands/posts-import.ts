import { SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import { ImportService, type ImportProgress } from '../../src/posts/import.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { ImportReport } from '../../src/shared/contracts/import-report.js';
import { exitCodeFor } from '../exit-codes.js';
import { guide } from '../guide.js';
import { countOutcomes, formatImportReport } from '../import-report.js';
import type { WithContext } from '../context.js';

interface Flags {
  readonly assets?: string;
  readonly publish?: true;
  readonly dryRun?: true;
  readonly overwrite?: true;
  readonly skipMissingImages?: true;
  readonly json?: true;
}

async function handleImport(path: string, flags: Flags, withContext: WithContext): Promise<void> {
  const report = await withContext((context) => importWithProgress(context.get(ImportService), path, flags));
  const counts = countOutcomes(report);
  const text = flags.json ? `${JSON.stringify({ ...report, counts }, null, 2)}\n` : formatImportReport(report);
  process.stdout.write(text);
  process.exitCode = exitCodeFor(report.items.length, counts.refused);
}

async function importWithProgress(service: ImportService, path: string, flags: Flags): Promise<ImportReport> {
  const options = {
    ...(flags.assets === undefined ? {} : { assetsFolder: flags.assets }),
    isPublishing: flags.publish === true,
    isDryRun: flags.dryRun === true,
    isOverwriting: flags.overwrite === true,
    isLeavingOutMissingImages: flags.skipMissingImages === true,
  };
  if (!process.stderr.isTTY || flags.json) return service.importMarkdown(OPERATOR, path, options);
  const bar = new SingleBar({
    format: '{bar} {value} of {total} posts',
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
  });
  const handleProgress: ImportProgress = (done, total) => {
    if (!bar.isActive) bar.start(total, 0);
    bar.update(done);
  };
  try {
    return await service.importMarkdown(OPERATOR, path, options, handleProgress);
  } finally {
    bar.stop();
  }
}

/** `posts import`. */
export function registerImportCommand(posts: Command, withContext: WithContext): void {
  const command = posts
    .command('import')
    .description('take in Markdown posts with YAML front matter; running it again changes nothing')
    .argument('<path>', 'a Markdown file, or a folder of them')
    .option('--assets <folder>', 'where images are, besides the folders of the posts and usual folders next to them')
    .option('--publish', 'publish every post taken in, instead of those whose front matter says so')
    .option('--dry-run', 'only say what would happen')
    .option('--overwrite', 'replace posts that were edited here since their import')
    .option('--skip-missing-images', 'take posts in without the images that cannot be found, instead of refusing them')
    .option('--json', 'write the report as JSON')
    .action((path: string, flags: Flags) => handleImport(path, flags, withContext));
  guide(command, {
    partly: 'some posts were refused; the report says why',
    examples: [
      ['./blog --dry-run', 'see what would come over'],
      ['./blog --assets ./blog/static', 'take a folder of posts in'],
      ['./blog/2024-05-01-hello.md --publish', 'take one post in, and show it'],
    ],
  });
}
