import type { Command } from 'commander';
import { CommentsService, type CommentChoice, type CommentRecord } from '../../src/posts/comments/comments.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { formatColumns } from '../columns.js';
import { confirm } from '../confirm.js';
import type { WithContext } from '../context.js';
import { EXIT_CODES } from '../exit-codes.js';
import { guide } from '../guide.js';
import { printable } from '../printable.js';
import { writeJson } from '../write-json.js';

interface ListFlags {
  readonly author?: string;
  readonly json?: true;
}

interface RemoveFlags {
  readonly author?: string;
  readonly all?: true;
  readonly yes?: true;
}

const SHOWN = 80;

async function handleList(slug: string | undefined, flags: ListFlags, withContext: WithContext): Promise<void> {
  if (slug === undefined && flags.author === undefined) throw new Error('name a post, or a name with --author');
  const comments = await withContext((context) =>
    context.get(CommentsService).listIncludingDrafts(OPERATOR, toChoice(slug, flags)),
  );
  if (flags.json) writeJson(comments);
  else if (comments.length === 0) process.stdout.write('There are no such comments.\n');
  else process.stdout.write(formatColumns(comments.map(toRow)));
}

async function handleRemove(
  slug: string | undefined,
  ids: readonly string[],
  flags: RemoveFlags,
  withContext: WithContext,
): Promise<void> {
  const { author, all } = flags;
  if (author === undefined && (slug === undefined || (ids.length === 0 && all !== true))) {
    throw new Error('name a post and comments of it, or a post and --all, or a name with --author');
  }
  await withContext(async (context) => {
    const service = context.get(CommentsService);
    const choice = toChoice(slug, { ...flags, ids });
    const found = await service.listIncludingDrafts(OPERATOR, choice);
    const missing = ids.filter((id) => !found.some((comment) => comment.id === id));
    if (missing.length > 0) process.stderr.write(`there is no comment ${missing.map(printable).join(', ')}\n`);
    if (found.length === 0) throw new Error('there are no such comments');
    let choices: readonly CommentChoice[] = [choice];
    if (ids.length === 0 && flags.yes !== true) {
      process.stdout.write(formatColumns(found.map(toRow)));
      if (
        !(await confirm(`Remove ${found.length === 1 ? 'this comment' : `these ${found.length} comments`} for good?`))
      ) {
        process.exitCode = EXIT_CODES.nothingDone;
        process.stderr.write('Nothing was changed.\n');
        return;
      }
      choices = choicesOf(found, choice);
    }
    let removed = 0;
    try {
      for (const one of choices) removed += await service.remove(OPERATOR, one);
    } finally {
      process.stdout.write(`${removed} removed\n`);
    }
    if (missing.length > 0) process.exitCode = EXIT_CODES.someRefused;
  });
}

/** Chooses the comments that were shown and no others, which an import may have brought while the question waited. */
function choicesOf(shown: readonly CommentRecord[], choice: CommentChoice): CommentChoice[] {
  return [...Map.groupBy(shown, ({ slug }) => slug)].map(([slug, comments]) => ({
    ...choice,
    slug,
    ids: comments.map(({ id }) => id),
  }));
}

function toChoice(
  slug: string | undefined,
  { author, ids = [] }: { readonly author?: string; readonly ids?: readonly string[] },
): CommentChoice {
  return {
    ...(slug === undefined ? {} : { slug }),
    ...(author === undefined ? {} : { author }),
    ...(ids.length === 0 ? {} : { ids }),
  };
}

function toRow({ slug, id, author, writtenAt, html, isFormer }: CommentRecord): string[] {
  const text = html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const short = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return [
    printable(slug),
    id,
    writtenAt.slice(0, 10),
    printable(author),
    `${isFormer ? '(former words) ' : ''}${printable(short)}`,
  ];
}

/** `comments`. */
export function registerCommentCommands(program: Command, withContext: WithContext): void {
  const comments = program.command('comments').description('the comments that came with imported posts');
  const list = comments
    .command('list')
    .description('show the comments of a post, or of a name')
    .argument('[slug]', 'the post')
    .option('--author <name>', 'only those with this name, in any capitals')
    .option('--json', 'as JSON')
    .action((slug: string | undefined, flags: ListFlags) => handleList(slug, flags, withContext));
  guide(list, {
    remarks:
      'No mail address is kept with a comment: who asks what is kept of them is found by the name that they gave. Former words are those ' +
      'that an import replaced or took away; they are kept for posts import undo, and removed as the others are.',
    examples: [
      ['my-post', 'show the comments of a post, with their ids'],
      ['--author "Ann Arbor" --json', 'hand out what somebody wrote below posts'],
    ],
  });
  const remove = comments
    .command('remove')
    .description('remove comments for good; no import brings them again')
    .argument('[slug]', 'the post')
    .argument('[id...]', 'which of its comments')
    .option('--all', 'all comments of the post')
    .option('--author <name>', 'those with this name, in any capitals')
    .option('--yes', 'do not ask')
    .action((slug: string | undefined, ids: string[], flags: RemoveFlags) => {
      if (ids.length > 0 && flags.all) remove.error('error: name comments of the post by their ids, or give --all');
      return handleRemove(slug, ids, flags, withContext);
    });
  guide(remove, {
    partly: 'some of the comments that were named are not there',
    remarks: 'Comments that were named by their ids are removed without a question.',
    examples: [
      ['my-post 17 18', 'remove two comments'],
      ['my-post --all', 'remove all comments of a post, after a question'],
      ['--author "Ann Arbor"', 'erase what somebody wrote below posts, after a question'],
    ],
  });
}
