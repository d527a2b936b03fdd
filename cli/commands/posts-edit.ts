import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import {
  describeUnsaved,
  isTextToRepair,
  PostDocumentsService,
  type NewDocument,
  type SavedDocument,
} from '../../src/export/post-documents.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { WithContext } from '../context.js';
import { editAndSave, saveOrKeep } from '../edit-text.js';
import { guide } from '../guide.js';
import { printable, printableLine } from '../printable.js';
import { decodeText, readBytes } from '../read-file.js';
import { TextFile } from '../text-file.js';

interface NewFlags {
  readonly title?: string;
  readonly slug?: string;
  readonly publish?: true;
}

/** Far more than any post. */
const MAX_BYTES = 5 * 1024 * 1024;

/** `posts show`, `posts edit` and `posts create`. */
export function registerEditCommands(posts: Command, withContext: WithContext): void {
  registerShow(posts, withContext);
  registerEdit(posts, withContext);
  registerCreate(posts, withContext);
}

async function handleShow(slug: string, isJson: boolean, withContext: WithContext): Promise<void> {
  const post = await withContext((context) => context.get(PostDocumentsService).find(OPERATOR, slug));
  // At a terminal, texts of strangers must not be able to move the cursor.
  const text = process.stdout.isTTY ? printable(post.text) : post.text;
  process.stdout.write(isJson ? `${JSON.stringify(post.record, null, 2)}\n` : text);
  if (post.unsaved !== null) process.stderr.write(`note: it ${describeUnsaved(post.unsaved)}: they are not shown\n`);
}

async function handleEdit(slug: string, isReplacing: boolean, withContext: WithContext): Promise<void> {
  const inService = <T>(task: (documents: PostDocumentsService) => Promise<T>) =>
    withContext((context) => task(context.get(PostDocumentsService)));
  const post = await inService((documents) => documents.find(OPERATOR, slug));
  if (post.unsaved !== null && !isReplacing) {
    const way = 'save or discard them in the admin area, or give --replace-edits, which keeps them among the versions';
    throw new Error(`${slug} ${describeUnsaved(post.unsaved)}: ${way}`);
  }
  // Nothing is held while a person writes: neither a connection nor an embedded database.
  const file = await TextFile.create(`${post.id}.md`, post.text);
  const saved = await editAndSave(
    file,
    (text) => inService((documents) => documents.save(OPERATOR, post, text, isReplacing)),
    isTextToRepair,
  );
  if (saved?.isChanged !== true) process.stdout.write(`unchanged  ${slug}\n`);
  else report('saved', saved);
}

async function handleCreate(path: string | undefined, flags: NewFlags, withContext: WithContext): Promise<void> {
  const { title, slug, publish } = flags;
  const given: NewDocument = {
    ...(title === undefined ? {} : { title }),
    ...(slug === undefined ? {} : { slug }),
    isPublished: publish === true,
  };
  const create = (text: string) =>
    withContext((context) => context.get(PostDocumentsService).create(OPERATOR, text, given));
  if (path === undefined) {
    const draft = await withContext(async (context) => context.get(PostDocumentsService).draft(given));
    const saved = await editAndSave(await TextFile.create('post.md', draft), create, isTextToRepair);
    if (saved === null) process.stdout.write('Nothing was written, and nothing created.\n');
    else report('created', saved);
    return;
  }
  const text = decode(path === '-' ? await buffer(process.stdin) : await readBytes(path), path);
  if (path !== '-') return report('created', await create(text));
  report('created', await saveOrKeep(await TextFile.create('post.md', text), () => create(text)));
}

function decode(bytes: Buffer, path: string): string {
  const name = path === '-' ? 'the standard input' : path;
  if (bytes.length > MAX_BYTES) throw new Error(`${name} is larger than 5 MB`);
  return decodeText(bytes, name).replace(/\r\n?/g, '\n');
}

function report(done: string, { slug, isPublished, notes }: SavedDocument): void {
  process.stdout.write(`${done}  ${printableLine(slug)} (${isPublished ? 'published' : 'not published'})\n`);
  for (const note of notes) process.stderr.write(`note: ${printable(note)}\n`);
}

function registerShow(posts: Command, withContext: WithContext): void {
  const command = posts
    .command('show')
    .description('show a post, a draft too, as Markdown')
    .argument('<slug>', 'the post')
    .option('--json', 'write JSON')
    .action((slug: string, flags: { readonly json?: true }) => handleShow(slug, flags.json === true, withContext));
  guide(command, {
    remarks: 'It is what posts export writes, with the addresses that pictures have here.',
    examples: [
      ['hello-world', 'read a post'],
      ['hello-world --json', 'for programs'],
    ],
  });
}

function registerEdit(posts: Command, withContext: WithContext): void {
  const command = posts
    .command('edit')
    .description('open a post in an editor, and save it as the editor of the admin area does')
    .argument('<slug>', 'the post')
    .option('--replace-edits', 'save over edits that nobody saved; they are kept among the versions')
    .action((slug: string, flags: { readonly replaceEdits?: true }) =>
      handleEdit(slug, flags.replaceEdits === true, withContext),
    );
  guide(command, {
    remarks:
      'VISUAL or EDITOR names the editor; without them it is vi. A published post is published as it is saved, as in the admin area. Nothing is saved if nothing was changed, or if somebody else saved meanwhile. ' +
      'What could not be saved stays in its file, which is named. A post is published, planned and taken back with `posts publish`, `posts schedule` and `posts unpublish`.',
    examples: [['hello-world', 'correct a post']],
  });
}

function registerCreate(posts: Command, withContext: WithContext): void {
  const command = posts
    .command('create')
    .description('create a post of a Markdown file, of the standard input or in an editor')
    .argument('[file]', 'Markdown with or without front matter; - for the standard input; without it, an editor opens')
    .option('--title <title>', 'its title, instead of that in the file')
    .option('--slug <slug>', 'the last part of its address, instead of that in the file or of one made of the title')
    .option('--publish', 'show it to everyone at once, instead of keeping it as a draft')
    .action((path: string | undefined, flags: NewFlags) => handleCreate(path, flags, withContext));
  guide(command, {
    remarks:
      'Front matter has the names that `posts show` writes. What it says of drafts, plans, ids and old addresses counts for `posts import` alone, and is named.',
    examples: [
      ["notice.md --title 'Closed on Friday'", 'make a draft of a text'],
      ['- --publish < notice.md', 'publish what another program wrote'],
      ['', 'write one in an editor'],
    ],
  });
}
