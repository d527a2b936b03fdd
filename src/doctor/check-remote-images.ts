import type { Config } from '../config/config.js';
import type { ConnectedDatabase } from '../database/direct-connection.js';
import { findRemoteAddresses } from '../import/post-images.service.js';
import { ok, warn, type Statement } from './finding.js';

/** Finds posts that show pictures of other sites, which browsers do not load. */
export async function checkRemoteImages({ client }: ConnectedDatabase, config: Config): Promise<Statement> {
  const posts = await findRemoteAddresses(async (sql) => (await client.query<object>(sql)).rows, config);
  if (posts.size === 0) return ok('every picture of a post is ours');
  const addresses = new Set([...posts.values()].flatMap((found) => [...found]));
  return warn(
    `posts with pictures of other sites, in the place of which readers see links: ${posts.size}, pictures: ${addresses.size}`,
    'npm run cli -- media fetch-remote stores them; with --dry-run it only says which can be had.',
  );
}
