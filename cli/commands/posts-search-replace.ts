import { InvalidArgumentError, Option, type Command } from 'commander';
import { CONFIG, type Config } from '../../src/config/config.js';
import {
  replaceableFields,
  SearchReplaceService,
  type PostReplacing,
  type ReplacedPart,
  type ReplacedPlace,
  type SearchedPost,
} from '../../src/posts/search-replace/search-replace.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { describeUnknownPost } from '../../src/shared/unknown-post.js';
import { paint } from '../colors.js';
import type { CliContext, WithContext } from '../context.js';
import { EXIT_CODES } from '../exit-codes.js';
import { guide } from '../guide.js';
import { addSelection, selectPosts, type SelectionFlags } from '../post-selection.js';
import { printable, printableLine } from '../printable.js';

interface Flags extends SelectionFlags {
  readonly in: readonly ReplacedPart[];
  readonly regex?: true;
  readonly ignoreCase?: true;
  readonly code?: true;
  readonly yes?: true;
  readonly json?: true;
}

interface Totals {
  posts: number;
  places: number;
  refused: number;
}

/** The end of a run: slugs of no post, or why it broke off. */
interface End {
  readonly unknown?: readonly string[];
  readonly failure?: string;
}

/** Places of a post that are shown. */
const PLACES_MAX = 5;
const PARTS: readonly ReplacedPart[] = ['text', 'links', ...replaceableFields];

/** `posts search-replace`. */
export function registerSearchReplaceCommand(posts: Command, withContext: WithContext): void {
  const command = addSelection(
    posts
      .command('search-replace')
      .description('replace words in posts; only shows what would change, until --yes is given')
      .argument('<find>', 'the words to look for')
      .argument('<replace>', 'the words in their place, which may be empty'),
  )
    .addOption(
      new Option('--in <parts>', `where, with commas between: ${PARTS.join(', ')}`)
        .default(['text'], 'text')
        .argParser(readParts),
    )
    .option('--regex', 'look for a regular expression of JavaScript; $1 in the replacement is its first group')
    .option('--ignore-case', 'capitals and small letters are the same')
    .option('--code', 'replace in code too')
    .option('--yes', 'write it')
    .option('--json', 'write JSON');
  command.action((find: string, replacement: string, slugs: string[], flags: Flags) =>
    handle(command, { find, replacement, slugs }, flags, withContext),
  );
  guide(command, {
    remarks:
      'Without a selection, it looks through all posts but the trash: drafts and planned ones too, and edits that nobody saved, which stay edits of who made them. ' +
      'Published posts stay published and are read at once as they are then. The former text is a version of each post. Addresses of posts, authors, categories and tags are not words, and stay.',
    partly: 'some posts cannot be changed, and are named with the reason',
    examples: [
      ["'Windows 7' 'Windows 11'", 'see where it would be replaced'],
      ["'Windows 7' 'Windows 11' --in title,excerpt,text --yes", 'replace it'],
      ['http://old.example https://new.example --in text,links', 'see what would lead elsewhere'],
      ["'(\\d+) ?MB' '$1 MB' --regex --tag Backup", 'replace what a pattern finds in posts of a tag'],
    ],
  });
}

async function handle(
  command: Command,
  {
    find,
    replacement,
    slugs,
  }: { readonly find: string; readonly replacement: string; readonly slugs: readonly string[] },
  flags: Flags,
  withContext: WithContext,
): Promise<void> {
  const replacing: PostReplacing = {
    find,
    replacement,
    parts: flags.in,
    isPattern: flags.regex === true,
    isIgnoringCase: flags.ignoreCase === true,
    isInCode: flags.code === true,
  };
  const isDryRun = flags.yes !== true;
  await withContext(async (context: CliContext) => {
    const { timeZone } = context.get<Config>(CONFIG).site;
    const selection = selectPosts(command, slugs, flags, timeZone);
    const totals: Totals = { posts: 0, places: 0, refused: 0 };
    const show = flags.json ? writeJson(isDryRun) : writeText(isDryRun);
    const service = context.get(SearchReplaceService);
    const found = service.replace(OPERATOR, replacing, selection, isDryRun);
    let unknown: readonly string[];
    try {
      for await (const post of found) {
        count(totals, post);
        show.add(post);
      }
      unknown = await service.findUnknown(OPERATOR, selection.slugs ?? []);
    } catch (error) {
      // What was replaced until then stays, and a program reads no half of an answer.
      show.end(totals, { failure: error instanceof Error ? error.message : String(error) });
      throw error;
    }
    show.end(totals, { unknown });
    for (const slug of unknown) process.stderr.write(`${describeUnknownPost(slug)}\n`);
    const left = totals.refused + unknown.length;
    const named = new Set(selection.slugs).size;
    const isNothing = totals.posts === 0 && (unknown.length === 0 || unknown.length === named);
    if (left > 0) process.exitCode = isNothing ? EXIT_CODES.nothingDone : EXIT_CODES.someRefused;
  });
}

function count(totals: Totals, { places, refusal }: SearchedPost): void {
  if (refusal !== null) totals.refused += 1;
  else if (places.length > 0) {
    totals.posts += 1;
    totals.places += places.length;
  }
}

/** Posts are written as they come, however many there are. */
function writeText(isDryRun: boolean) {
  return {
    add: (post: SearchedPost) => void process.stdout.write(formatPost(post)),
    end: ({ posts, places, refused }: Totals, { failure }: End) => {
      // A pattern that is none says so itself.
      if (failure !== undefined && posts + refused === 0) return;
      const where = `${places} ${places === 1 ? 'place' : 'places'} in ${posts} ${posts === 1 ? 'post' : 'posts'}`;
      const left = refused === 0 ? '' : `, ${refused} that cannot be changed`;
      const end = isDryRun ? ' (nothing was written: --yes writes it)' : ' replaced';
      process.stdout.write(`${where}${left}${end}${failure === undefined ? '' : ', then it broke off'}\n`);
    },
  };
}

function formatPost({ slug, isPublished, places, refusal, notes }: SearchedPost): string {
  const shown = places.slice(0, PLACES_MAX).map((place) => `  ${formatPlace(place)}`);
  const more = places.length - shown.length;
  return [
    `${printableLine(slug)} (${isPublished ? 'published' : 'not published'})`,
    ...shown,
    ...(more > 0 ? [`  ... and ${more} more`] : []),
    ...(refusal === null ? [] : [`  ${paint('bad', 'refused')}: ${printable(refusal)}`]),
    ...notes.map((note) => `  note: ${note}`),
    '',
  ].join('\n');
}

function formatPlace({ part, isUnsaved, before, found, replacement, after }: ReplacedPlace): string {
  const line = (text: string) => printable(text.replace(/\s+/g, ' '));
  const change = `${paint('bad', `[${line(found)}]`)} -> ${paint('good', `[${line(replacement)}]`)}`;
  return `${part}${isUnsaved ? ' of unsaved edits' : ''}: ${line(before)}${change}${line(after)}`;
}

function writeJson(isDryRun: boolean) {
  let separator = '\n';
  process.stdout.write(`{\n  "isDryRun": ${String(isDryRun)},\n  "posts": [`);
  return {
    add: (post: SearchedPost) => {
      process.stdout.write(`${separator}    ${JSON.stringify(post)}`);
      separator = ',\n';
    },
    end: (totals: Totals, { unknown, failure }: End) => {
      const others = unknown === undefined ? '' : `,\n  "unknown": ${JSON.stringify(unknown)}`;
      const error = failure === undefined ? '' : `,\n  "error": ${JSON.stringify(failure)}`;
      const close = separator === '\n' ? '' : '\n  ';
      process.stdout.write(`${close}],\n  "counts": ${JSON.stringify(totals)}${others}${error}\n}\n`);
    },
  };
}

function readParts(written: string): ReplacedPart[] {
  const names = written.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !PARTS.some((part) => part === name));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`There is no ${unknown}: it is one of ${PARTS.join(', ')}.`);
  return [...new Set(names)] as ReplacedPart[];
}
