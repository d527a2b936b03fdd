import { InvalidArgumentError, Option, type Command } from 'commander';
import type { PostSelection } from '../src/posts/batch.service.js';
import { readMoment } from '../src/shared/moments.js';

/** The options that select posts. */
export interface SelectionFlags {
  readonly all?: true;
  readonly tag?: string;
  readonly category?: string;
  readonly after?: string;
  readonly before?: string;
  readonly status?: 'draft' | 'published' | 'planned';
}

const states = { draft: 'draft', published: 'published', planned: 'scheduled' } as const;

/** Adds the argument and the options that choose posts; all that are given must apply. */
export function addSelection(command: Command): Command {
  return command
    .argument('[slug...]', 'the posts, by slug')
    .option('--tag <tag>', 'posts that have this tag')
    .option('--category <category>', 'posts of this category')
    .option('--after <date>', 'posts of this date and later, like 2026-01-31', requireMoment)
    .option('--before <date>', 'posts of earlier dates', requireMoment)
    .addOption(new Option('--status <status>', 'posts that are now so').choices(Object.keys(states)))
    .option('--all', 'every post');
}

/**
 * Reads the selection of posts from the options.
 * @throws the error of `command.error` when nothing is selected, or slugs are given beside --all
 */
export function readSelection(
  command: Command,
  slugs: readonly string[],
  flags: SelectionFlags,
  timeZone: string,
): PostSelection {
  const { all, tag, category, after, before, status } = flags;
  const isNarrowed = slugs.length > 0 || [tag, category, after, before, status].some((flag) => flag !== undefined);
  if (all ? slugs.length > 0 : !isNarrowed) {
    command.error('error: name the posts by slug, or give --all or what they have in common (see --help)');
  }
  return selectPosts(command, slugs, flags, timeZone);
}

/**
 * Reads the selection of a command that is about all posts where none are selected.
 * @throws the error of `command.error` when slugs are given beside --all
 */
export function selectPosts(
  command: Command,
  slugs: readonly string[],
  { all, tag, category, after, before, status }: SelectionFlags,
  timeZone: string,
): PostSelection {
  if (all && slugs.length > 0) command.error('error: name posts by slug, or give --all');
  return {
    slugs: slugs.length > 0 ? slugs.map(compose) : undefined,
    tag: tag === undefined ? undefined : compose(tag),
    category: category === undefined ? undefined : compose(category),
    from: toMoment(after, timeZone),
    before: toMoment(before, timeZone),
    state: status === undefined ? undefined : states[status],
  };
}

/** Letters as posts have them, whichever way the keyboard or a name of a file writes their accents. */
function compose(name: string): string {
  return name.normalize('NFC');
}

/** Text that is a date, with or without a time; as the zone is not known yet, it stays text. */
export function requireMoment(text: string): string {
  if (readMoment(text, 'UTC') === null) throw new InvalidArgumentError('Write it like 2026-01-31 or 2026-01-31 09:00.');
  return text;
}

function toMoment(text: string | undefined, timeZone: string): Date | undefined {
  return text === undefined ? undefined : (readMoment(text, timeZone) ?? undefined);
}
