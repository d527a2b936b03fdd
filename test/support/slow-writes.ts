import { jest } from '@jest/globals';
import { ConnectionPool } from '../../src/database/pool/connection-pool.js';
import { findBudget } from '../../src/database/pool/database-limits.js';
import { PostWriter } from '../../src/posts/post-writer.js';
import type { TestApp } from './create-test-app.js';

/** More than requests have in production, for those of a busy machine, and less than changes of very many posts have. */
const REQUEST_MS = 10_000;

/**
 * Runs a task while requests have 10 s of the database, of which each write of posts uses up `writeMs`: as if it were one of
 * very many posts.
 */
export async function withSlowWrites<T>(app: TestApp, writeMs: number, task: () => Promise<T>): Promise<T> {
  const pool = app.get(ConnectionPool);
  const writer = app.get(PostWriter);
  const { requestLimits } = pool;
  const write = writer.write.bind(writer);
  const slow = jest.spyOn(writer, 'write').mockImplementation((...given) => {
    findBudget(requestLimits)['spentMs'] += writeMs;
    return write(...given);
  });
  pool.requestLimits = { ...requestLimits, totalMs: REQUEST_MS };
  try {
    return await task();
  } finally {
    pool.requestLimits = requestLimits;
    slow.mockRestore();
  }
}
