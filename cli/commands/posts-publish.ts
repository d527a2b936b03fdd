import type { Command } from 'commander';
import { PublishingService, type PublishResult } from '../../src/posts/publishing.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { exitCodeFor } from '../exit-codes.js';
import { guide } from '../guide.js';
import type { WithContext } from '../context.js';

interface Flags {
  readonly all?: true;
  readonly json?: true;
}

async function handlePublish(
  command: Command,
  isPublished: boolean,
  slugs: readonly string[],
  withContext: WithContext,
): Promise<void> {
  const flags: Flags = command.opts();
  if (flags.all ? slugs.length > 0 : slugs.length === 0) command.error('error: name the posts by slug, or give --all');
  const wanted = flags.all ? 'all' : [...new Set(slugs)];
  const result = await withContext((context) =>
    context.get(PublishingService).setPublished(OPERATOR, wanted, isPublished),
  );
  process.stdout.write(flags.json ? `${JSON.stringify(result, null, 2)}\n` : format(result, isPublished));
  for (const slug of result.unknown) process.stderr.write(`no post has the slug ${slug}\n`);
  for (const slug of result.unsaved) process.stderr.write(`${slug} has changes that nobody saved or discarded\n`);
  const left = result.unknown.length + result.unsaved.length;
  process.exitCode = exitCodeFor(result.changed.length + result.unchanged.length + left, left);
}

function format({ changed, unchanged }: PublishResult, isPublished: boolean): string {
  const state = isPublished ? 'published' : 'unpublished';
  const was = isPublished ? 'published already' : 'a draft already';
  const lines = [...changed.map((slug) => `${state}  ${slug}`), ...unchanged.map((slug) => `${was}  ${slug}`)];
  return `${[...lines, `${changed.length} ${state}`].join('\n')}\n`;
}

/** `posts publish` and `posts unpublish`. */
export function registerPublishCommands(posts: Command, withContext: WithContext): void {
  for (const isPublished of [true, false]) {
    const command = posts
      .command(isPublished ? 'publish' : 'unpublish')
      .description(isPublished ? 'show posts to everyone' : 'take posts back into drafts')
      .argument('[slug...]', 'the posts, by slug')
      .option('--all', 'every post')
      .option('--json', 'write JSON');
    command.action((slugs: string[]) => handlePublish(command, isPublished, slugs, withContext));
    guide(command, {
      partly: 'some were left as they are, and are named',
      examples: [
        ['hello-world', isPublished ? 'show one post' : 'hide one post'],
        ['--all', isPublished ? 'show every post' : 'hide every post'],
      ],
    });
  }
}
