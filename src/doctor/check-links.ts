import type { ConnectedDatabase } from '../database/direct-connection.js';
import { ok, warn, type Statement } from './finding.js';

/** Counts the dead links that servers found in posts. */
export async function checkLinks({ client }: ConnectedDatabase): Promise<Statement> {
  const { rows } = await client.query<{ links: number; posts: number }>(
    `select coalesce(sum(dead), 0)::int as links, count(*)::int as posts
     from post_links l join blog_posts p on p.id = l.post_id where dead > 0 and deleted_at is null`,
  );
  const { links, posts } = rows[0] ?? { links: 0, posts: 0 };
  if (links === 0) return ok('no dead links are known in posts');
  const sentence = `${links} dead ${links === 1 ? 'link' : 'links'} in ${posts} ${posts === 1 ? 'post' : 'posts'}`;
  return warn(sentence, 'npm run cli -- links check names them, as the screen Links does.');
}
