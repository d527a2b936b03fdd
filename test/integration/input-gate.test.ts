import { beforeAll, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/shared/paths.js';
import { buildForm, createAdministrator, type Administrator } from '../support/admin-posts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildEnquiry, sendEnquiry } from '../support/enquiries.js';

const HALF = '\ud83d';
const CHARACTERS = 'holds a character that no text can have: a zero character or half of a pair';

let app: TestApp;
let ada: Administrator;

const nested = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

beforeAll(async () => {
  app = await createTestApp({ AUTH_BASE_PATH: '/auth/v1' });
  ada = await createAdministrator(app, 'ada@example.com');
});

describe('what nothing can hold is refused before anybody reads it', () => {
  it.each([
    ['tags.0', { tags: ['a\0b'] }],
    ['tags.1', { tags: ['a', HALF] }],
    ['title', { title: `Half ${HALF}` }],
    ['content', { content: '<p>\0</p>' }],
    ['image_url', { image_url: 'https://a.example/\0' }],
  ])('in a post: %s', async (path, overrides) => {
    const answer = await ada.call('POST', '/posts', { ...buildForm(), ...overrides });
    const message = `${path} ${CHARACTERS}`;
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_text', message, fields: { [path]: [message] } },
    });
  });

  it.each([
    ['DELETE', '/media/%00', 'id'],
    ['GET', '/posts/%00', 'id'],
    ['GET', '/posts?q=%00', 'q'],
    ['GET', '/media?search=a%00', 'search'],
    ['GET', '/audit?actor=%00', 'actor'],
    ['GET', '/enquiries?q=%00', 'q'],
  ] as const)('in an address: %s %s', async (method, path, name) => {
    expect(await ada.call(method, path)).toMatchObject({
      status: 400,
      body: { code: 'invalid_text', message: `${name} ${CHARACTERS}` },
    });
  });

  it('in an enquiry, and by its name where that is none to be said', async () => {
    expect((await sendEnquiry(app, buildEnquiry({ name: 'Pat\0' }))).json()).toMatchObject({ code: 'invalid_text' });
    const answer = await sendEnquiry(app, { ...buildEnquiry(), '<b>\n': '\0' });
    expect(answer.json()).toMatchObject({ code: 'invalid_text', message: `The request ${CHARACTERS}` });
  });

  it.each(['signup', 'token?grant_type=password', 'otp', 'recover', 'verify', 'resend'])(
    'in a call of accounts: %s',
    async (call) => {
      const send = (payload: string) => app.inject({ method: 'POST', url: `/auth/v1/${call}`, payload });
      for (const text of ['\\u0000', '\\ud83d']) {
        for (const body of [`{"data": {"a": ["${text}"]}}`, `{"data": {"${text}": 1}}`, `{"email": "a${text}@b.co"}`]) {
          const answer = await send(body);
          expect(answer.statusCode).toBe(400);
          expect(answer.json()).toMatchObject({ error_code: 'validation_failed' });
        }
      }
      const deep = await send(`{"email": "a@b.co", "password": "secret1", "data": ${nested(20_000)}}`);
      expect(deep.json()).toMatchObject({ code: 400, error_code: 'bad_json' });
    },
  );

  it('what is nested too deeply, wherever', async () => {
    const json = { 'content-type': 'application/json' };
    const refused = { code: 'nested_too_deeply', message: 'title is nested too deeply' };
    const post = await ada.call('POST', '/posts', JSON.parse(`{"title": ${nested(500)}}`) as object);
    expect(post).toMatchObject({ status: 400, body: refused });
    for (const payload of [nested(20_000), `{"tags": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`]) {
      const url = paths.api.admin.posts;
      const answer = await app.inject({ method: 'POST', url, headers: json, payload });
      expect(answer).toMatchObject({ statusCode: 400 });
      expect(answer.json()).toMatchObject({ code: 'nested_too_deeply' });
    }
  });

  it('a tag that no index takes', async () => {
    const answer = await ada.call('POST', '/posts', buildForm({ tags: 'x'.repeat(201) }));
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_post', fields: { tags: ['Tag too long'] } } });
    const longest = await ada.call('POST', '/posts', buildForm({ tags: '語'.repeat(200), slug: 'longest-tag' }));
    expect(longest.status).toBe(201);
  });
});

it('characters of every kind come back as they were sent', async () => {
  const title = 'Ü ☃ 😀 e\u0301';
  const post = await ada.call('POST', '/posts', buildForm({ title, tags: '😀', slug: 'every-kind' }));
  expect(post).toMatchObject({ status: 201, body: { title, tags: ['😀'] } });
});
