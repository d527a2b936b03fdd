import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { AdminPost } from '../../src/shared/contracts/admin-posts.js';
import { createAccount, signIn } from '../support/accounts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { fillTables, SEEDED } from '../support/fill-tables.js';

/** A page has fifty lines, and an index may have to be read in a few places for each. What shows everything is not asked for here. */
const MOST_ROWS = 1_000;

/** A node of a plan that was carried out, as PostgreSQL tells it. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

let app: TestApp;
let headers: Record<string, string>;

beforeAll(async () => {
  app = await createTestApp();
  await fillTables(app.get(EntityManager).fork());
  const account = await createAccount(app);
  await app.get(RolesService).grantAdmin(OPERATOR, account.id);
  headers = { authorization: `Bearer ${(await signIn(app, account)).accessToken}` };
});

/** Every statement that a request makes. */
async function statementsOf(
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  url: string,
  body?: object,
): Promise<Statement[]> {
  const query = jest.spyOn(pg.Client.prototype, 'query');
  try {
    const answer = await app.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body }) });
    expect({
      url,
      status: answer.statusCode,
      body: answer.statusCode < 500 || answer.body.slice(0, 500),
    }).toMatchObject({
      body: true,
    });
    return query.mock.calls.flatMap(([first, second]) => toStatement(first, second));
  } finally {
    query.mockRestore();
  }
}

function toStatement(first: unknown, second: unknown): Statement[] {
  const config = typeof first === 'string' ? { text: first, values: second } : (first as Partial<Statement>);
  const text = config.text ?? '';
  // An insert looks for nothing, and cannot be made twice.
  if (!/^\s*(?:select|update|delete|with)\b/i.test(text)) return [];
  return [{ text, values: Array.isArray(config.values) ? config.values : [] }];
}

/** The scans of a statement that read more than a page needs; it is carried out and taken back. */
async function wideScansOf(client: pg.Client, { text, values }: Statement): Promise<string[]> {
  await client.query('begin');
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `explain (analyze, timing off, format json) ${text}`,
      values,
    );
    return scansIn(rows[0]?.['QUERY PLAN'][0]?.Plan)
      .filter(({ read }) => read > MOST_ROWS)
      .map(({ what }) => what);
  } finally {
    await client.query('rollback');
  }
}

function scansIn(node: PlanNode | undefined): { readonly what: string; readonly read: number }[] {
  if (node === undefined) return [];
  const below = (node.Plans ?? []).flatMap(scansIn);
  const passedOver = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const read = Math.round((node['Actual Rows'] + passedOver) * node['Actual Loops']);
  const what = `${node['Node Type']} on ${node['Relation Name'] ?? '?'} reads ${read} rows`;
  return node['Node Type'].includes('Scan') ? [{ what, read }, ...below] : below;
}

async function expectNarrow(label: string, statements: readonly Statement[]): Promise<void> {
  expect(statements.length).toBeGreaterThan(0);
  const client = new pg.Client({ connectionString: app.environment.DATABASE_URL });
  await client.connect();
  try {
    for (const statement of statements) {
      const wide = await wideScansOf(client, statement);
      expect({ label, text: wide.length > 0 ? statement.text : '', wide }).toEqual({ label, text: '', wide: [] });
    }
  } finally {
    await client.end();
  }
}

describe('with 10,000 posts and 100,000 lines of activity', () => {
  it.each([
    '/api/admin/audit',
    '/api/admin/audit?subject_type=user',
    `/api/admin/audit?subject_type=post&subject_id=${SEEDED.postId}`,
    '/api/admin/audit?actor=operator',
    '/api/admin/audit?actor=system',
    '/api/admin/audit?actor=nobody@example.com',
    '/api/admin/audit?action=user.banned',
    '/api/admin/audit?action=never.done',
    '/api/admin/audit?actor=admin-1@example.com&action=post.published',
    `/api/admin/audit?cursor=50000`,
    '/api/admin/enquiries',
    '/api/admin/enquiries?delivery=failing',
    '/api/admin/enquiries?delivery=waiting',
    '/api/admin/enquiries?delivery=sent',
    '/api/admin/enquiries?state=new',
    '/api/admin/enquiries?state=open',
    '/api/admin/enquiries?state=answered',
    '/api/admin/enquiries?state=closed',
    `/api/admin/enquiries?assignee=${SEEDED.assigneeId}`,
    '/api/admin/enquiries/counts',
    '/api/admin/enquiries?search=person-77@',
    '/api/admin/media',
    `/api/admin/media?search=${SEEDED.titleWord}`,
    `/api/admin/posts/${SEEDED.postId}`,
    `/api/admin/posts/${SEEDED.postId}/revisions`,
    '/api/posts/post-77',
    '/blogs/post-78',
    '/blogs/category/category-7',
    '/blogs/tag/tag-7',
    '/blogs/author/author-7/2',
    '/blogs/author/author-7/rss.xml',
    '/blogs/tag/tag-never',
    '/blogs/former-post-77',
    '/blogs/never-was',
    '/api/me',
  ])('GET %s reads about as many rows as it shows', async (url) => {
    await expectNarrow(url, await statementsOf('GET', url));
  });

  it('saves, keeps, publishes, plans and deletes a post without looking at others', async () => {
    const url = `/api/admin/posts/${SEEDED.postId}`;
    const answer = await app.inject({ url, headers });
    const { saved: fields, version } = answer.json<AdminPost>();
    const saved = { ...fields, tags: ['one'], title: 'Another title', slug: 'another-slug', version };
    const steps: readonly [Parameters<typeof statementsOf>[0], string, object?][] = [
      ['PUT', `${url}/working-copy`, { version, fields }],
      ['PUT', url, { ...saved, version: version + 1 }],
      ['PUT', `${url}/publication`, { version: version + 2, is_published: false }],
      ['PUT', `${url}/schedule`, { version: version + 3, publish_at: '2090-01-01T00:00:00Z' }],
      ['DELETE', `${url}?version=${version + 4}`],
    ];
    for (const [method, address, body] of steps) {
      await expectNarrow(`${method} ${address}`, await statementsOf(method, address, body));
    }
  });
});
