import type { Command } from 'commander';
import { CONFIG, type Config } from '../../src/config/config.js';
import { PostsService, type PostListItem } from '../../src/posts/posts.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { toDisplayDate } from '../../src/shared/dates.js';
import { formatColumns } from '../columns.js';
import type { WithContext } from '../context.js';
import { guide } from '../guide.js';

async function handleList(isJson: boolean, withContext: WithContext): Promise<void> {
  const { posts, timeZone } = await withContext(async (context) => ({
    posts: await context.get(PostsService).listAllIncludingDrafts(OPERATOR),
    timeZone: context.get<Config>(CONFIG).site.timeZone,
  }));
  process.stdout.write(isJson ? `${JSON.stringify(posts.map(toRecord), null, 2)}\n` : formatTable(posts, timeZone));
}

function toRecord({ slug, title, author, category, publishedDate, isPublished }: PostListItem) {
  return {
    slug,
    title,
    author,
    category: category ?? null,
    published_date: publishedDate.toISOString(),
    is_published: isPublished,
  };
}

function formatTable(posts: readonly PostListItem[], timeZone: string): string {
  if (posts.length === 0) return 'There are no posts yet.\n';
  const rows = posts.map((post) => [
    post.isPublished ? 'published' : 'draft',
    toDisplayDate(post.publishedDate, timeZone).short,
    post.slug,
    post.title,
  ]);
  return formatColumns(rows);
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
      examples: [
        ['', 'all of them'],
        ['--json', 'for programs'],
      ],
    },
  );
}
