import type { Command } from 'commander';
import { LinksService } from '../../src/links/links.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { DeadLink, PostWithDeadLinks, UnusedRedirect } from '../../src/shared/contracts/links.js';
import { paths } from '../../src/shared/paths.js';
import { paint } from '../colors.js';
import type { WithContext } from '../context.js';
import { EXIT_CODES } from '../exit-codes.js';
import { guide } from '../guide.js';
import { printable } from '../printable.js';

interface CheckFlags {
  readonly outer?: true;
  readonly allowPrivateHost?: readonly string[];
  readonly json?: true;
}

interface Sums {
  links: number;
  posts: number;
  edits: number;
}

async function handleCheck(flags: CheckFlags, withContext: WithContext): Promise<void> {
  if (flags.allowPrivateHost !== undefined && !flags.outer) throw new Error('--allow-private-host is for --outer.');
  await withContext(async (context) => {
    const found: PostWithDeadLinks[] = [];
    const sums: Sums = { links: 0, posts: 0, edits: 0 };
    const handlePost = (post: PostWithDeadLinks) => {
      addUp(sums, post);
      if (flags.json) found.push(post);
      else process.stdout.write(describePost(post));
    };
    const outer = flags.outer ? { privateHosts: flags.allowPrivateHost ?? [] } : undefined;
    const { posts } = await context.get(LinksService).checkAll(OPERATOR, handlePost, outer);
    const unused = await context.get(LinksService).findUnused(OPERATOR);
    if (!flags.json) process.stdout.write(describeUnused(unused));
    if (sums.links > 0) process.exitCode = EXIT_CODES.someRefused;
    const text = flags.json
      ? JSON.stringify({ checked: posts, posts: found, redirects: unused }, null, 2)
      : describeSums(posts, sums);
    process.stdout.write(`${text}\n`);
  });
}

/** Counts what readers see, or will see, apart from edits. */
function addUp(sums: Sums, { links }: PostWithDeadLinks): void {
  const inPost = links.filter(({ place }) => place === 'post').length;
  sums.links += inPost;
  sums.posts += inPost > 0 ? 1 : 0;
  sums.edits += links.length - inPost;
}

function describePost({ slug, title, links }: PostWithDeadLinks): string {
  return `${paths.blog(slug)}  ${printable(title)}\n${links.map(describeLink).join('')}`;
}

function describeLink({ place, kind, address, state, reason }: DeadLink): string {
  const where = place === 'edits' ? ' (in edits that are not saved)' : '';
  const words = reason ?? (kind === 'image' && state === 'missing' ? 'is no file that is stored' : WORDS[state]);
  return `  ${paint('bad', kind.padEnd(5))}  ${printable(address)} ${printable(words)}${where}\n`;
}

function describeUnused(redirects: readonly UnusedRedirect[]): string {
  const lines = redirects.map(
    ({ path, target }) =>
      `  ${paint('notable', 'redirect')}  ${printable(path)} leads to ${printable(target)}, which is no page\n`,
  );
  return lines.length === 0 ? '' : `Redirects of no use (redirects remove takes them away)\n${lines.join('')}`;
}

const WORDS: Readonly<Record<DeadLink['state'], string>> = {
  missing: 'leads to no page',
  draft: 'leads to a draft',
  scheduled: 'leads to a post that is not live yet',
  'no-anchor': 'names a place that the page does not have',
  unreachable: 'cannot be reached',
};

function describeSums(checked: number, { links, posts, edits }: Sums): string {
  const inEdits = edits === 0 ? '' : `; ${edits} in edits that are not saved`;
  return `${count(checked, 'post')} checked: ${count(links, 'dead link')} in ${count(posts, 'post')}${inEdits}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** `links`: where links of posts lead. */
export function registerLinkCommands(program: Command, withContext: WithContext): void {
  const links = program.command('links').description('links and images of posts, and whether they lead anywhere');
  const check = links
    .command('check')
    .description('find dead links and missing images in posts that are published or planned, and in edits')
    .option('--outer', 'ask other sites as well')
    .option('--allow-private-host <name...>', 'ask these hosts although their addresses are private')
    .option('--json', 'write JSON')
    .action((flags: CheckFlags) => handleCheck(flags, withContext));
  guide(check, {
    remarks:
      'Follows links to pages, posts and images of this site, through redirects too, and to headings and footnotes of posts and places of pages. Those to drafts, planned and ' +
      'withdrawn posts are dead until these are live. The server does the same whenever posts change, and the admin area ' +
      'lists what it found under Links. Redirects whose target is no page (any more) are named, and count as nothing. Other sites are asked with --outer alone: each at most once a second, with ' +
      'HEAD and then GET, and nothing is reached but the public internet.',
    partly: 'a post that is published or planned has dead links; each is named',
    examples: [
      ['', 'links within the site'],
      ['--outer --json', 'other sites too, for programs'],
    ],
  });
}
