import { InvalidArgumentError, Option, type Command } from 'commander';
import { CONFIG, type Config } from '../../src/config/config.js';
import { ImportService } from '../../src/import/import.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import {
  importFormats,
  type ImportFormat,
  type ImportOptions,
  type SourceChoices,
} from '../../src/shared/contracts/import-report.js';
import { postFields } from '../../src/shared/contracts/post-fields.js';
import { readMoment } from '../../src/shared/moments.js';
import { characterCount } from '../../src/shared/contracts/post-input.js';
import { withContext as withOwnContext, type WithContext } from '../context.js';
import { EXIT_CODES } from '../exit-codes.js';
import { guide } from '../guide.js';
import { confirmDrafts, importQuestions } from '../import-dialogue.js';
import { keepHeapSmall } from '../keep-heap-small.js';
import { privateHostOption } from '../private-host-option.js';
import { RepeatableOption } from '../repeatable-option.js';
import { reportImport, spareSource, type ReportFlags } from '../report-import.js';
import { registerImportRunCommands } from './posts-import-runs.js';

interface Flags extends ReportFlags {
  readonly format?: ImportFormat;
  readonly assets?: string;
  readonly fetch: boolean;
  readonly allowPrivateHost?: readonly string[];
  readonly source?: string;
  readonly language?: string;
  readonly since?: string;
  readonly only?: readonly string[];
  readonly slugPrefix?: string;
  readonly slugSuffix?: string;
  readonly mapAuthor?: ReadonlyMap<string, string>;
  readonly mapTag?: ReadonlyMap<string, string>;
  readonly categoryFrom?: 'folder';
  readonly permalink?: string;
  readonly shortcodes?: string;
  readonly pages?: string;
  readonly comments?: true;
  readonly publish?: true;
  readonly publishDrafts?: true;
  readonly yes?: true;
  readonly acceptChanges?: true;
  readonly overwrite?: true;
  readonly skipMissingImages?: true;
}

async function handleImport(path: string, flags: Flags, withContext: WithContext): Promise<void> {
  spareSource(path, flags);
  if (withContext === withOwnContext) keepHeapSmall();
  await withContext(async (context) => {
    const imports = context.get(ImportService);
    const config = context.get<Config>(CONFIG);
    const options = toOptions(flags, config.site.timeZone);
    if (!(await isAgreed(imports, path, options, flags))) {
      process.exitCode = EXIT_CODES.nothingDone;
      process.stderr.write('Nothing was changed.\n');
      return;
    }
    const start = ({ update, makeRoom }: Parameters<Parameters<typeof reportImport>[2]>[0]) => {
      const questions = withRoom(importQuestions(), makeRoom);
      return imports.importPosts(OPERATOR, path, options, { handleProgress: update, ...questions });
    };
    await reportImport(flags, 'posts', start, config.server.publicUrl);
  });
}

/** Asks before drafts of the source are published. True when nothing has to be asked, or the operator agrees. */
async function isAgreed(imports: ImportService, path: string, options: ImportOptions, flags: Flags): Promise<boolean> {
  if (!flags.publishDrafts || flags.yes || flags.dryRun) return true;
  return await confirmDrafts(path, await imports.countWithheld(path, options));
}

/** Questions that are not written into the bar. */
function withRoom({ nameSource, confirmChanges }: ReturnType<typeof importQuestions>, makeRoom: () => void) {
  return {
    ...(nameSource === undefined ? {} : { nameSource }),
    ...(confirmChanges === undefined
      ? {}
      : {
          confirmChanges: (changes: Parameters<typeof confirmChanges>[0]) => {
            makeRoom();
            return confirmChanges(changes);
          },
        }),
  };
}

function toOptions(flags: Flags, timeZone: string): ImportOptions {
  return {
    ...(flags.format === undefined ? {} : { format: flags.format }),
    ...(flags.assets === undefined ? {} : { assetsFolder: flags.assets }),
    isFetching: flags.fetch,
    privateHosts: flags.allowPrivateHost ?? [],
    ...(flags.source === undefined ? {} : { source: flags.source }),
    ...choicesOf(flags, timeZone),
    ...(flags.permalink === undefined ? {} : { permalink: flags.permalink }),
    ...(flags.pages === undefined ? {} : { pages: flags.pages }),
    ...(flags.shortcodes === undefined ? {} : { shortcodesFile: flags.shortcodes }),
    isPublishing: flags.publish === true,
    isPublishingDrafts: flags.publishDrafts === true,
    isAcceptingChanges: flags.acceptChanges === true,
    isTakingComments: flags.comments === true,
    isDryRun: flags.dryRun === true,
    isOverwriting: flags.overwrite === true,
    isLeavingOutMissingImages: flags.skipMissingImages === true,
  };
}

function choicesOf(flags: Flags, timeZone: string) {
  const { language, only, slugPrefix, slugSuffix, mapAuthor, mapTag, categoryFrom } = flags;
  const since = flags.since === undefined ? undefined : (readMoment(flags.since, timeZone) ?? undefined);
  const choices = { language, since, only, slugPrefix, slugSuffix, authors: mapAuthor, tags: mapTag, categoryFrom };
  return Object.fromEntries(Object.entries(choices).filter(([, value]) => value !== undefined)) as SourceChoices;
}

function readCategory(written: string): string {
  const name = written.trim();
  const { limit } = postFields.category;
  if (name === '' || characterCount(name) > limit) {
    throw new InvalidArgumentError(`A category has 1 to ${limit} characters.`);
  }
  return name;
}

/** A day, as text, since the zone in which it begins is not known yet. */
function requireDay(written: string): string {
  if (/[T ]/i.test(written.trim()) || readMoment(written, 'UTC') === null) {
    throw new InvalidArgumentError('It is no date like 2025-01-31.');
  }
  return written;
}

/** Adds `old=new` to the names that were given before. */
function readRenaming(written: string, before: ReadonlyMap<string, string> = new Map()): Map<string, string> {
  const [old = '', name] = written.split(/=(.*)/s).map((part) => part.trim());
  if (old === '' || name === undefined) throw new InvalidArgumentError('It is not like "Old name=New name".');
  const other = before.get(old);
  if (other !== undefined && other !== name) {
    throw new InvalidArgumentError(`"${old}" is called "${other}" already.`);
  }
  return new Map([...before, [old, name]]);
}

/** The same for authors, without whom there is no post. */
function readAuthor(written: string, before?: ReadonlyMap<string, string>): Map<string, string> {
  const names = readRenaming(written, before);
  if ([...names.values()].includes('')) throw new InvalidArgumentError('An author needs a name.');
  return names;
}

function mapAuthorOption(): Option {
  const description = 'call an author differently here; more than once';
  return new RepeatableOption('--map-author <old=new>', description).argParser(readAuthor);
}

function mapTagOption(): Option {
  const description = 'call a tag differently here, or nothing to leave it out; more than once';
  return new RepeatableOption('--map-tag <old=new>', description).argParser(readRenaming);
}

const SOURCES =
  'a folder of Markdown, a Markdown file, or an export: WordPress (.xml, or a folder of them), Ghost (.json), .csv, .json';

/** `posts import`. */
export function registerImportCommand(posts: Command, withContext: WithContext): void {
  const command = posts
    .command('import')
    .description('take in the posts of another blog; running it again changes nothing')
    .argument('<path>', SOURCES)
    .addOption(new Option('--format <format>', 'what it is, when that is not to be found out').choices(importFormats))
    .option(
      '--assets <folder>',
      'where images are, besides the folders of the posts and usual folders in and next to the one that is imported',
    )
    .option('--no-fetch', 'leave images that are on other sites there')
    .addOption(privateHostOption())
    .option(
      '--source <name>',
      'which site it is from, an address or a name: always the same; needed if it does not say',
    )
    .option(
      '--permalink <pattern>',
      "the addresses that posts had, like /:year/:month/:slug/; without it, those of the site's configuration",
    )
    .option('--shortcodes <file>', "what becomes of the source's own tags, as YAML or JSON")
    .option('--pages <category>', 'take the pages of WordPress or Ghost as posts of this category', readCategory)
    .option('--comments', 'take the comments of WordPress that everybody could read there')
    .option('--language <code>', 'take the posts in this language, which they or their folders and files name')
    .option('--since <date>', 'take posts of this day or later, and those without a date', requireDay)
    .option('--only <pattern...>', 'take posts of these files or slugs; * is any text')
    .option('--slug-prefix <text>', 'put this before every slug; :language and :folder are those of the post')
    .option('--slug-suffix <text>', 'put this behind every slug')
    .addOption(mapAuthorOption())
    .addOption(mapTagOption())
    .addOption(new Option('--category-from <place>', 'make the category of the folder of a post').choices(['folder']))
    .option('--publish', 'publish what is published there, though it does not say so, and plan what is planned there')
    .option('--publish-drafts', 'publish drafts and private posts too, and what was unpublished here, after a question')
    .option('--yes', 'do not ask about --publish-drafts')
    .option('--dry-run', 'only say what would happen')
    .option('--overwrite', 'replace posts that were edited here since their import')
    .option('--accept-changes', 'replace posts that lose more than half of their words')
    .option('--skip-missing-images', 'update posts although images that they show cannot be found any more')
    .option(
      '--report <file>',
      'write the report into a file too, as a page or as JSON if its name ends in .html or .json',
    )
    .option('--json', 'write the report as JSON')
    .action((path: string, flags: Flags) => handleImport(path, flags, withContext));
  guide(command, {
    partly: 'some posts were refused; the report says why',
    remarks:
      'Posts come as drafts unless their source says that they are published. --publish takes posts that say nothing for published, as their generator does, and plans those for which it is not time yet; ' +
      'drafts, private and protected posts stay drafts, unless --publish-drafts says otherwise. None is unpublished, and what was unpublished here stays so. Posts are known by their site and their place in it: ' +
      'the site is what --source says, else the address in its configuration (of Jekyll, Hugo, Zola, Astro or Eleventy, in the folder or above it) or in the export; else it is asked for. Posts of `posts export`, and rows whose ids are UUIDs, need none. ' +
      'Images that cannot be found are left out, and the report names them: another run with --assets brings them. Edits made here are never replaced unless --overwrite says so, more than half of the words of a post only after a question or with --accept-changes, and no post loses its address to another. An import that was interrupted goes on where it was when it is started again. ' +
      'docs/import-shortcodes.md says which tags of Jekyll, Hugo, Zola and WordPress are known, and how --shortcodes says what others become.',
    examples: [
      ['./blog --dry-run', 'see what would come over from a folder of Markdown'],
      ['./blog --assets ./blog/static --publish', 'take the folder in, with its images, and show what is shown there'],
      ['./notes --source notes.example.com', 'take in a folder that does not say where it is from'],
      [
        'wordpress.xml --assets ./wp-content/uploads',
        'take an export of WordPress in, and fetch what is not in the folder',
      ],
      [
        './_posts --permalink /blog/:year/:month/:day/:title/',
        'lead the old addresses on where no configuration has them',
      ],
      ['./site --language de --slug-prefix :language', 'take one language of a site whose languages share slugs'],
      ['./blog --since 2020-01-01 --map-author jd=Jane', 'take what is recent, and give an author a name'],
      ['./_posts --shortcodes tags.yml', 'say what becomes of tags that only the old site knows'],
      [
        'ghost.json --no-fetch --report report.html',
        'take an export of Ghost in without its images, and keep the report',
      ],
      ['blog_posts.csv --json > report.json', 'take the rows of the hosted table in, for a program'],
    ],
  });
  registerImportRunCommands(command, withContext);
}
