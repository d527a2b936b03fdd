import type { Command } from 'commander';
import { CONFIG, type Config } from '../../src/config/config.js';
import { LinksService } from '../../src/links/links.service.js';
import { PostsService, type PostListItem } from '../../src/posts/posts.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { toDisplayDate } from '../../src/shared/dates.js';
import { formatColumns } from '../columns.js';
import type { WithContext } from '../context.js';
import { guide } from '../guide.js';

async function handleList(isJson: boolean, withContext: WithContext): Promise<void> {
  const { posts, dead, timeZone } = await withContext(async (context) => {
    const posts = await context.get(PostsService).listAllIncludingDrafts(OPERATOR);
    return {
      posts,
      dead: await context.get(LinksService).countDead(
        OPERATOR,
        posts.map(({ id }) => id),
      ),
      timeZone: context.get<Config>(CONFIG).site.timeZone,
    };
  });
  const text = isJson
    ? `${JSON.stringify(
        posts.map((post) => toRecord(post, dead)),
        null,
        2,
      )}\n`
    : formatTable(posts, dead, timeZone);
  process.stdout.write(text);
}

/** Dead links by the id of the post; a post that was not looked at yet is not in it. */
type Dead = ReadonlyMap<string, number>;

function toRecord(post: PostListItem, dead: Dead) {
  const { id, slug, title, author, category, publishedDate, isPublished, scheduledAt } = post;
  return {
    slug,
    title,
    author,
    category: category ?? null,
    published_date: publishedDate.toISOString(),
    is_published: isPublished,
    scheduled_at: scheduledAt?.toISOString() ?? null,
    dead_links: dead.get(id) ?? null,
  };
}

function formatTable(posts: readonly PostListItem[], dead: Dead, timeZone: string): string {
  if (posts.length === 0) return 'There are no posts yet.\n';
  const rows = posts.map((post) => [
    post.isPublished ? 'published' : post.scheduledAt ? 'planned' : 'draft',
    toDisplayDate(post.scheduledAt ?? post.publishedDate, timeZone).short,
    post.slug,
    post.title + describeDead(dead.get(post.id) ?? 0),
  ]);
  return formatColumns(rows);
}

/** After the title, where few rows have it. */
function describeDead(links: number): string {
  return links === 0 ? '' : ` (${links} dead link${links === 1 ? '' : 's'})`;
}

/** `posts list`. */
export function registerListCommand(posts: Command, withContext: WithContext): void {
  guide(
    posts
      .command('list')
      .description('every post, drafts too, the latest written first')
      .option('--json', 'write JSON')
      .action((flags: { readonly json?: true }) => handleList(flags.json === true, withContext)),
    {
      remarks:
        'Planned posts have the day of their plan, which is scheduled_at in JSON. Dead links are told of where servers and links check found some; links check names them. In JSON, dead_links is null for a post ' +
        'that nobody has looked at yet.',
      examples: [
        ['', 'all of them'],
        ['--json', 'for programs'],
      ],
    },
  );
}
