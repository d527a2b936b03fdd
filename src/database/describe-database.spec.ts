import { describe, expect, it } from '@jest/globals';
import { describeDatabase } from './describe-database.js';

const describeUrl = (url: string, directUrl?: string) =>
  describeDatabase({ database: { url, directUrl, poolSize: 1 }, dataDir: '/var/lib/site' });

describe('describeDatabase', () => {
  it('names host, port and database, without user and password', () => {
    expect(describeUrl('postgresql://me:PASSWORD@db.example.com:6432/site?sslmode=require')).toBe(
      'the database site at db.example.com:6432',
    );
    expect(describeUrl('postgresql://me@db/my%20site')).toBe('the database my site at db:5432');
    expect(describeUrl('postgresql://me@/site?host=/run/postgresql')).toBe('the database site at /run/postgresql');
  });

  it('names the one that commands work on, behind a pooler', () => {
    expect(describeUrl('postgresql://me@pooler:6432/any', 'postgresql://me@db/site')).toBe(
      'the database site at db:5432',
    );
  });

  it('names the folder of the embedded one', () => {
    expect(describeUrl('embedded')).toBe('the embedded database in /var/lib/site/postgres');
  });
});
