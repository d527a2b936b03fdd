import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ValidationPipe } from '@nestjs/common';
import { PIPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import sharp from 'sharp';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { AdminPost, PreviewLink, RevisionPage } from '../../src/shared/contracts/admin-posts.js';
import { createAccount, signIn } from '../support/accounts.js';
import { buildForm } from '../support/admin-posts.js';
import { findBlanks, findMismatches, type ApiDocument, type Operation } from '../support/api-document.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildEnquiry } from '../support/enquiries.js';

let app: TestApp;
let token: string;
let api: ApiDocument;

beforeAll(async () => {
  app = await createTestApp({ READ_COUNTS: 'true' });
  const account = await createAccount(app);
  await app.get(RolesService).grantAdmin(OPERATOR, account.id);
  token = (await signIn(app, account)).accessToken;
  api = (await app.inject('/api/openapi.json')).json();
});

const operations = (): [string, Operation][] =>
  Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );

/** Files, and answers for containers and balancers that look at the status. */
const UNTYPED = ['GET /api/admin/enquiries/export', 'GET /api/health', 'GET /api/health/live', 'GET /api/health/ready'];

/** Routes that change something and have nothing to be told. */
const WITHOUT_BODY =
  /^(?:POST|PUT) \/api\/admin\/(?:posts\/\{id\}\/(?:preview-links|duplicate)|settings\/\{document\}\/preview|webhooks\/test|enquiries\/\{id\}\/(?:answers\/\{answerId\}\/)?(?:resend|opened))$/;

describe('the documentation of the API', () => {
  it('says of every route what it answers, to the last property', () => {
    expect(operations().length).toBeGreaterThan(30);
    const blanks = operations().flatMap(([name, { responses }]) => {
      const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      const schemas = good.flatMap(([, { content }]) => Object.values(content ?? {}).map(({ schema }) => schema ?? {}));
      const isEmpty = good.length > 0 && good.every(([status]) => status === '204');
      if (schemas.length === 0) return isEmpty || UNTYPED.includes(name) ? [] : [name];
      return UNTYPED.includes(name) ? [] : schemas.flatMap((schema) => findBlanks(api, schema, name));
    });
    expect(blanks).toEqual([]);
  });

  it('has no address that product.md does not lead to', () => {
    const [, calls = ''] = /\n## 7\. [^\n]*\n(.*?)\n## /s.exec(readFileSync('docs/product.md', 'utf8')) ?? [];
    const named = [...calls.matchAll(/`(?:[A-Z]+ )?(\/api\/[\w/-]+)/g)].map(([, path]) => path!.replace(/\/$/, ''));
    const isNamed = (path: string) => named.some((one) => path === one || path.startsWith(`${one}/`));
    expect(Object.keys(api.paths).filter((path) => path.startsWith('/api/') && !isNamed(path))).toEqual([]);
  });

  it('says of every route what it takes, to the last property', () => {
    const blanks = operations().flatMap(([name, { parameters = [], requestBody }]) => {
      const bodies = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema ?? {});
      const isMissing = bodies.length === 0 && /^P/.test(name) && !WITHOUT_BODY.test(name);
      return [
        ...(isMissing ? [name] : []),
        ...bodies.flatMap((schema) => findBlanks(api, schema, name)),
        ...parameters.flatMap(({ name: parameter, schema }) => findBlanks(api, schema, `${name} ?${parameter}`)),
      ];
    });
    expect(blanks).toEqual([]);
  });

  it('has the limits, formats, choices and defaults of the rules', () => {
    const { schemas } = api.components;
    expect(schemas['SavePostInput']).toMatchObject({
      required: ['title', 'slug', 'content', 'author', 'version'],
      properties: {
        title: { type: 'string', maxLength: 200 },
        excerpt: { type: 'string', maxLength: 500, nullable: true },
        tags: { oneOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }], nullable: true },
        published_date: { type: 'string', format: 'date-time', nullable: true },
        save_id: { type: 'string', format: 'uuid' },
        version: { type: 'number', minimum: 0 },
      },
    });
    expect(schemas['BulkInput']?.properties?.['posts']).toMatchObject({ minItems: 1, maxItems: 500 });
    expect(schemas['ContactEnquiry']?.properties).toMatchObject({
      name: { maxLength: expect.any(Number) },
      email: { format: 'email' },
      message: { maxLength: expect.any(Number) },
    });
    const query = api.paths['/api/admin/posts']?.['get']?.parameters ?? [];
    expect(query.filter(({ required }) => required)).toEqual([]);
    expect(query.find(({ name }) => name === 'limit')?.schema).toMatchObject({ minimum: 1, maximum: 200, default: 50 });
    expect(query.find(({ name }) => name === 'sort')?.schema).toMatchObject({
      enum: ['created', 'updated', 'published', 'title'],
      default: 'created',
    });
  });

  it('finds what is not described', () => {
    const page = { $ref: '#/components/schemas/AuditPage' };
    expect(findMismatches(api, page, { items: [], next_cursor: null })).toEqual([]);
    expect(findMismatches(api, page, { items: null, more: 1 })).toEqual([
      '$.next_cursor is missing',
      '$.items is null',
      '$.more is not described',
    ]);
    expect(findBlanks(api, { type: 'object', properties: { a: {} } }, '$')).toEqual(['$.a']);
  });
});

/** Calls a route and returns its answer, which is as the documentation says. */
async function call<T = AdminPost>(route: string, path: string, payload?: object, status?: number): Promise<T> {
  const [method = '', described = ''] = route.split(' ');
  const headers = { authorization: `Bearer ${token}` };
  const answer = await app.inject({ method: method as 'GET', url: path, headers, ...(payload ? { payload } : {}) });
  const response = api.paths[described]?.[method.toLowerCase()]?.responses[String(answer.statusCode)];
  if (status !== undefined) expect([route, answer.statusCode]).toEqual([route, status]);
  expect([route, answer.statusCode, response === undefined]).toEqual([route, answer.statusCode, false]);
  if (answer.statusCode === 204) return undefined as T;
  const body = answer.json<T>();
  const schema = response?.content?.['application/json']?.schema;
  expect([route, schema === undefined]).toEqual([route, false]);
  // Every error has it, whatever room answers.
  const { request_id: _id, ...rest } = body as Record<string, unknown>;
  expect([route, findMismatches(api, schema!, Array.isArray(body) ? body : rest)]).toEqual([route, []]);
  return body;
}

describe('an answer', () => {
  const posts = '/api/admin/posts';
  const form = (slug: string) => ({ ...buildForm({ slug }), tags: ['one', 'two'], excerpt: 'Few words' });

  it('is as described: posts', async () => {
    const image = await uploadImage();
    const post = await call(
      `POST ${posts}`,
      posts,
      { ...form('a'), image_url: image.url, image_alt: '', is_published: true },
      201,
    );
    await call('GET /api/posts', '/api/posts');
    await call('GET /api/posts/{slug}', '/api/posts/a');
    await call(`GET ${posts}`, `${posts}?state=published&limit=5`);
    await call(`GET ${posts}/facets`, `${posts}/facets`);
    const one = `${posts}/{id}`;
    const at = `${posts}/${post.id}`;
    await call(`GET ${one}`, at);
    const copy = { version: post.version, fields: { ...post.saved, title: 'B' } };
    const kept = await call(`PUT ${one}/working-copy`, `${at}/working-copy`, copy);
    expect(kept.working_copy).not.toBeNull();
    await call(`POST ${one}/presence`, `${at}/presence`, { tab: post.id }, 200);
    const link = await call<PreviewLink>(`POST ${one}/preview-links`, `${at}/preview-links`, undefined, 201);
    const secret = new URL(link.url).pathname.split('/').at(-1)!;
    await call('GET /api/previews/{token}', `/api/previews/${secret}`);
    await call(`GET ${one}/preview-links`, `${at}/preview-links`);
    await call(`DELETE ${one}/preview-links/{linkId}`, `${at}/preview-links/${link.id}`, undefined, 204);
    await call(`DELETE ${one}/preview-links`, `${at}/preview-links`, undefined, 204);
    const { version } = await call(`DELETE ${one}/working-copy`, `${at}/working-copy?version=${kept.version}`);
    const saved = await call(`PUT ${one}`, at, { ...form('a'), version });
    await call(`PUT ${one}/publication`, `${at}/publication`, { version: saved.version, is_published: false });
    const { version: hidden } = await call(`GET ${one}`, at);
    const plan = { version: hidden, publish_at: '2099-01-01T00:00:00Z' };
    const planned = await call(`PUT ${one}/schedule`, `${at}/schedule`, plan);
    const revisions = await call<RevisionPage>(`GET ${one}/revisions`, `${at}/revisions`);
    await call(`GET ${one}/revisions/{revisionId}`, `${at}/revisions/${revisions.items[0]!.id}`);
    const duplicate = await call(`POST ${one}/duplicate`, `${at}/duplicate`, undefined, 201);
    const some = [
      { id: post.id, version: 1 },
      { id: duplicate.id, version: duplicate.version },
    ];
    await call(`POST ${posts}/bulk`, `${posts}/bulk`, { action: 'trash', posts: some });
    const gone = await call(`GET ${one}`, `${posts}/${duplicate.id}`);
    await call(`POST ${one}/restore`, `${posts}/${duplicate.id}/restore`, { version: gone.version });
    const trashed = await call(`DELETE ${one}`, `${at}?version=${planned.version}`);
    await call(`DELETE ${one}/permanently`, `${at}/permanently?version=${trashed.version}`, undefined, 204);
  });

  it('is as described: refusals of posts', async () => {
    const { id } = await call(`POST ${posts}`, posts, form('b'), 201);
    const refused = await call(
      `PUT ${posts}/{id}`,
      `${posts}/${id}`,
      { ...form('b'), title: ' ', content: '<p></p>' },
      422,
    );
    expect(refused).toMatchObject({
      code: 'invalid_post',
      message: 'The version is missing',
      fields: {
        title: ['Title is required'],
        version: ['The version is missing'],
        content: ['Content is required'],
      },
    });
    await call(`PUT ${posts}/{id}`, `${posts}/${id}`, { ...form('b'), version: 9 }, 409);
    await call(`GET ${posts}/{id}`, `${posts}/nobody`, undefined, 404);
    await call(`DELETE ${posts}/{id}`, `${posts}/${id}?version=x`, undefined, 422);
  });

  it('is as described: images, enquiries, the activity, the account', async () => {
    await uploadImage();
    await call('GET /api/admin/media', '/api/admin/media?unused=true');
    await call('GET /api/admin/links', '/api/admin/links?page=1');
    await call('POST /api/admin/links/counts', '/api/admin/links/counts', { ids: [] });
    await call('GET /api/admin/reads', '/api/admin/reads');
    await call('GET /api/admin/comments', '/api/admin/comments?search=x');
    const nobodys = '/api/admin/comments/00000000-0000-4000-8000-000000000000/1';
    await call('DELETE /api/admin/comments/{id}/{comment}', nobodys, undefined, 404);
    await call('GET /api/admin/overview', '/api/admin/overview');
    await call('POST /api/reads', '/api/reads', { slug: 'first', from: '' }, 204);
    await call('POST /api/contact', '/api/contact', buildEnquiry());
    const { items } = await call<{ items: { id: string }[] }>('GET /api/admin/enquiries', '/api/admin/enquiries');
    const enquiry = `/api/admin/enquiries/${items[0]!.id}`;
    await call('GET /api/admin/enquiries/{id}', enquiry);
    await call('POST /api/admin/enquiries/{id}/resend', `${enquiry}/resend`);
    await call('PUT /api/admin/enquiries/{id}/opened', `${enquiry}/opened`);
    await call('PUT /api/admin/enquiries/{id}', enquiry, { version: 1, state: 'closed', note: 'Done' });
    await call('GET /api/admin/enquiries/counts', '/api/admin/enquiries/counts');
    await call('GET /api/admin/enquiries/assignees', '/api/admin/enquiries/assignees');
    await call('GET /api/admin/audit', '/api/admin/audit?action=post.created');
    await call('GET /api/me', '/api/me');
    await call('GET /api/health/details', '/api/health/details');
  });
});

describe('input', () => {
  it('is checked by the pipe wherever a handler takes a whole body or query', () => {
    const unchecked = inputsOf(app.get(ModulesContainer)).filter(({ isChecked }) => !isChecked);
    // Forms without scripts get a page that shows again what was typed, whatever that was. Accounts have zod.
    expect(unchecked.map(({ name }) => name).sort()).toEqual([
      'ContactFormController.submit',
      ...['enter', 'saveAccount', 'saveCompany', 'testMail'].map((name) => `SetupController.${name}`),
    ]);
  });
});

async function uploadImage(): Promise<{ readonly url: string }> {
  const background = { r: 1, g: 2, b: 3 };
  const bytes = await sharp({ create: { width: 30, height: 20, channels: 3, background } })
    .png()
    .toBuffer();
  const body = new FormData();
  body.append('file', new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' }));
  const request = new Request('http://site.test', { method: 'POST', body });
  const answer = await app.inject({
    method: 'POST',
    url: '/api/uploads',
    headers: { authorization: `Bearer ${token}`, 'content-type': request.headers.get('content-type')! },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  expect(answer.statusCode).toBe(201);
  const schema = api.paths['/api/uploads']?.['post']?.responses['201']?.content?.['application/json']?.schema;
  expect(findMismatches(api, schema!, answer.json())).toEqual([]);
  return answer.json();
}

type Arguments = Readonly<Record<string, { readonly data?: unknown; readonly pipes: readonly unknown[] }>>;

/** The handlers of all controllers that take a body or a query as a whole. */
function inputsOf(modules: ModulesContainer): { readonly name: string; readonly isChecked: boolean }[] {
  const controllers = [...modules.values()].flatMap((module) => [...module.controllers.values()]);
  return controllers.flatMap(({ metatype }) => {
    if (!metatype) return [];
    const prototype = metatype.prototype as Record<string, object>;
    return Object.getOwnPropertyNames(prototype).flatMap((name) => {
      const given = (Reflect.getMetadata(ROUTE_ARGS_METADATA, metatype, name) ?? {}) as Arguments;
      const types = (Reflect.getMetadata('design:paramtypes', prototype, name) ?? []) as unknown[];
      const pipes = [metatype, prototype[name]!].flatMap(
        (target) => (Reflect.getMetadata(PIPES_METADATA, target) ?? []) as unknown[],
      );
      // 3 is a body and 4 a query, each with the place of the parameter behind the colon.
      return Object.entries(given).flatMap(([key, { data, pipes: own }]) => {
        const [kind, place] = key.split(':');
        if (!['3', '4'].includes(kind!) || data !== undefined) return [];
        const hasPipe = [...pipes, ...own].some((pipe) => pipe instanceof ValidationPipe);
        const isClass = typeof types[Number(place)] === 'function' && types[Number(place)] !== Object;
        return [{ name: `${metatype.name}.${name}`, isChecked: hasPipe && isClass }];
      });
    });
  });
}
