import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { loadConfig } from '../../src/config/config.js';
import { prepareSchema } from '../../src/database/migrate.js';
import { cloneDatabase } from '../support/database.js';

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://it.example',
  SMTP_URL: 'smtp://mail.example',
  SITE_EMAIL: 'desk@it.example',
  AUTH_JWT_SECRET: 'a secret of more than thirty-two characters',
  AUTH_TOKEN_SECRET: 'another secret of more than thirty-two characters',
};

async function query(url: string, sql: string): Promise<object[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<object>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('the tables of the job queue', () => {
  it('are part of the migrations: production names them when they are missing, and does nothing of its own', async () => {
    const url = await cloneDatabase();
    await query(url, 'drop schema pgboss cascade');
    const production = loadConfig({ ...PRODUCTION, DATABASE_URL: url });
    await expect(prepareSchema(production, url)).rejects.toThrow('The database lacks the job queue: run');
    expect(await query(url, "select to_regclass('pgboss.job') as name")).toEqual([{ name: null }]);
  });

  it('are made elsewhere, and by one of two processes that start at once', async () => {
    const url = await cloneDatabase();
    await query(url, 'drop schema pgboss cascade');
    const config = loadConfig({ DATABASE_URL: url });
    await Promise.all([prepareSchema(config, url), prepareSchema(config, url)]);
    expect(await query(url, "select to_regclass('pgboss.job') as name")).toEqual([{ name: 'pgboss.job' }]);
  });
});
