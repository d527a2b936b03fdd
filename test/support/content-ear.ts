import pg from 'pg';
import { CONTENT_CHANNEL } from '../../src/database/content-listener.js';
import { onCleanup } from './cleanup.js';

/** Listens for changes of published content as another process would. @returns how many were announced since */
export async function hearChanges(databaseUrl: string): Promise<() => Promise<number>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onCleanup(() => client.end());
  let heard = 0;
  client.on('notification', () => (heard += 1));
  await client.query(`listen ${CONTENT_CHANNEL}`);
  return async () => {
    // Notifications of before arrive before the answer.
    await client.query('select 1');
    return heard;
  };
}
