import { Option, type Command } from 'commander';
import { ImportService } from '../../src/posts/import.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { importFormats, type ImportFormat, type ImportOptions } from '../../src/shared/contracts/import-report.js';
import { withContext as withOwnContext, type WithContext } from '../context.js';
import { guide } from '../guide.js';
import { keepHeapSmall } from '../keep-heap-small.js';
import { reportImport, type ReportFlags } from '../report-import.js';

interface Flags extends ReportFlags {
  readonly format?: ImportFormat;
  readonly assets?: string;
  readonly fetch: boolean;
  readonly allowPrivateHost?: readonly string[];
  readonly publish?: true;
  readonly overwrite?: true;
  readonly skipMissingImages?: true;
}

async function handleImport(path: string, flags: Flags, withContext: WithContext): Promise<void> {
  if (withContext === withOwnContext) keepHeapSmall();
  await withContext((context) =>
    reportImport(flags, 'posts', (handleProgress) =>
      context.get(ImportService).importPosts(OPERATOR, path, toOptions(flags), handleProgress),
    ),
  );
}

function toOptions(flags: Flags): ImportOptions {
  return {
    ...(flags.format === undefined ? {} : { format: flags.format }),
    ...(flags.assets === undefined ? {} : { assetsFolder: flags.assets }),
    isFetching: flags.fetch,
    privateHosts: flags.allowPrivateHost ?? [],
    isPublishing: flags.publish === true,
    isDryRun: flags.dryRun === true,
    isOverwriting: flags.overwrite === true,
    isLeavingOutMissingImages: flags.skipMissingImages === true,
  };
}

/** `posts import`. */
export function registerImportCommand(posts: Command, withContext: WithContext): void {
  const command = posts
    .command('import')
    .description('take in the posts of another blog; running it again changes nothing')
    .argument(
      '<path>',
      'a folder of Markdown, a Markdown file, or an export: WordPress (.xml), Ghost (.json), .csv, .json',
    )
    .addOption(new Option('--format <format>', 'what it is, when that is not to be found out').choices(importFormats))
    .option('--assets <folder>', 'where images are, besides the folders of the posts and usual folders next to them')
    .option('--no-fetch', 'leave images that are on other sites there')
    .option('--allow-private-host <name...>', 'fetch images from these hosts although their addresses are private')
    .option('--publish', 'publish every post taken in, instead of those whose source says so')
    .option('--dry-run', 'only say what would happen')
    .option('--overwrite', 'replace posts that were edited here since their import')
    .option('--skip-missing-images', 'take posts in without the images that cannot be found, instead of refusing them')
    .option('--report <file>', 'write the report into a file too, as JSON if its name ends in .json')
    .option('--json', 'write the report as JSON')
    .action((path: string, flags: Flags) => handleImport(path, flags, withContext));
  guide(command, {
    partly: 'some posts were refused; the report says why',
    remarks:
      'Posts come as drafts unless their source says that they are published, or --publish does. Edits made here are never replaced unless --overwrite says so, no post loses its address to another, and none ' +
      'is unpublished. An import that was interrupted goes on where it was when it is started again.',
    examples: [
      ['./blog --dry-run', 'see what would come over from a folder of Markdown'],
      ['./blog --assets ./blog/static --publish', 'take the folder in, with its images, and show all of it'],
      [
        'wordpress.xml --assets ./wp-content/uploads',
        'take an export of WordPress in, and fetch what is not in the folder',
      ],
      [
        'ghost.json --no-fetch --report report.txt',
        'take an export of Ghost in without its images, and keep the report',
      ],
      ['blog_posts.csv --json > report.json', 'take the rows of the hosted table in, for a program'],
    ],
  });
}
