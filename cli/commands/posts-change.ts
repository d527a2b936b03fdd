import type { Command } from 'commander';
import { CONFIG, type Config } from '../../src/config/config.js';
import { BatchService, type BatchChange } from '../../src/posts/batch.service.js';
import { readMoment } from '../../src/shared/moments.js';
import type { WithContext } from '../context.js';
import { guide, type Example } from '../guide.js';
import { changePosts, type ChangeFlags } from '../post-changes.js';
import { addSelection, readSelection, requireMoment, type SelectionFlags } from '../post-selection.js';

interface Flags extends SelectionFlags, ChangeFlags {
  readonly at?: string;
  readonly forever?: true;
}

type ToChange = (flags: Flags, timeZone: string) => BatchChange;

/** `posts publish`, `posts unpublish`, `posts schedule` and `posts delete`. */
export function registerChangeCommands(posts: Command, withContext: WithContext): void {
  const add = (command: Command, toChange: ToChange, examples: readonly Example[]) => {
    addSelection(command)
      .option('--yes', 'do not ask, although the posts were not named one by one')
      .option('--dry-run', 'only show what would change')
      .option('--json', 'write JSON')
      .action((slugs: string[]) => handleChange(command, slugs, toChange, withContext));
    guide(command, {
      remarks: 'What is said of the posts must all apply to them. Posts that were not named by slug are asked about.',
      partly: 'some posts were left as they are, and are named with the reason',
      examples,
    });
  };
  add(posts.command('publish').description('show posts to everyone'), () => ({ kind: 'publish' }), [
    ['hello-world', 'show one post'],
    ['--category Security --status draft --dry-run', 'see which drafts of a category would be shown'],
    ['--all --yes', 'show every post'],
  ]);
  add(posts.command('unpublish').description('take posts back into drafts'), () => ({ kind: 'unpublish' }), [
    ['hello-world', 'hide one post'],
    ['--before 2015-01-01', 'hide what is old, after a question'],
  ]);
  add(
    posts
      .command('schedule')
      .description('publish posts at a time')
      .requiredOption(
        '--at <time>',
        "like '2026-12-01 09:00', in the site's time unless an offset follows",
        requireMoment,
      ),
    toSchedule,
    [
      ["hello-world --at '2026-12-01 09:00'", 'show one post on a morning'],
      ["--tag News --status draft --at '2026-12-01T09:00+01:00'", 'plan drafts in the time of another zone'],
    ],
  );
  add(
    posts
      .command('delete')
      .description('put posts into the trash, where they stay for 30 days')
      .option('--forever', 'remove posts of the trash for good, after a question'),
    ({ forever }) => ({ kind: forever ? 'delete-forever' : 'trash' }),
    [
      ['hello-world', 'put one post into the trash'],
      ['--tag Old --dry-run', 'see what would go'],
      ['--all --forever --yes', 'empty the trash'],
    ],
  );
}

async function handleChange(
  command: Command,
  slugs: readonly string[],
  toChange: ToChange,
  withContext: WithContext,
): Promise<void> {
  const flags: Flags = command.opts();
  if (flags.forever && flags.status !== undefined) {
    command.error('error: --forever is about posts in the trash, which have no status');
  }
  // Mistakes are said before anything is started.
  readSelection(command, slugs, flags, 'UTC');
  await withContext(async (context) => {
    const { timeZone } = context.get<Config>(CONFIG).site;
    const selection = readSelection(command, slugs, flags, timeZone);
    await changePosts(context.get(BatchService), { change: toChange(flags, timeZone), selection, flags, timeZone });
  });
}

function toSchedule({ at = '' }: Flags, timeZone: string): BatchChange {
  const publishAt = readMoment(at, timeZone);
  if (publishAt === null) throw new Error(`${at} is no time`);
  return { kind: 'schedule', publishAt };
}
