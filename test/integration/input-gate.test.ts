import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { cleanCharacters } from '../../src/shared/clean-characters.js';
import { adminPaths } from '../../src/shared/admin-paths.js';
import { paths } from '../../src/shared/paths.js';
import { buildForm, createAdministrator, type Administrator } from '../support/admin-posts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildEnquiry, sendEnquiry, storedFrom } from '../support/enquiries.js';
import { createPosts } from '../support/factories.js';

const HALF = '\ud83d';
const CHARACTERS = 'holds a character that no text can have: a zero character or half of a pair';

let app: TestApp;
let ada: Administrator;

const nested = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

beforeAll(async () => {
  app = await createTestApp({ AUTH_BASE_PATH: '/auth/v1', AUTH_MAIL_AUTOCONFIRM: 'true', AUTH_GUESSES_PAUSE: '0' });
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

  it('in an address of accounts', async () => {
    const get = async (path: string) => (await app.inject(`/auth/v1/${path}`)).json<object>();
    const refused = {
      code: 400,
      error_code: 'validation_failed',
      msg: expect.stringContaining('that no text can have'),
    };
    expect(await get('verify?type=signup&token=%00')).toMatchObject(refused);
    expect(await get('verify?type=signup&token=x&redirect_to=https://a.example/%00')).toMatchObject(refused);
    expect(await get('settings?x=%00')).toMatchObject(refused);
  });

  it('in the form of a page, which answers with a page and what was written', async () => {
    const payload = 'name=Pat%00&email=pat%40example.org&message=The+printer+burns';
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await app.inject({ method: 'POST', url: paths.contact, headers, payload });
    expect(answer).toMatchObject({ statusCode: 400, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(answer.body).toContain(`name ${CHARACTERS}`);
    expect(answer.body).toContain('The printer burns');
    const half = { name: { $ne: 1 }, email: HALF, message: 'x' };
    expect(await app.inject({ method: 'POST', url: paths.contact, payload: half })).toMatchObject({ statusCode: 400 });
  });

  it('what is nested too deeply, wherever', async () => {
    const json = { 'content-type': 'application/json' };
    const refused = { code: 'nested_too_deeply', message: 'title is nested too deeply' };
    const post = await ada.call('POST', '/posts', JSON.parse(`{"title": ${nested(500)}}`) as object);
    expect(post).toMatchObject({ status: 400, body: refused });
    for (const payload of [nested(20_000), `{"tags": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`]) {
      const url = adminPaths.posts;
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

describe('characters of every kind', () => {
  const SEPARATE = 'Ü ☃ 😀 cafe\u0301';
  const COMPOSED = 'Ü ☃ 😀 caf\u00e9';

  it('come back as they were sent, but for those of names, which are composed', async () => {
    const texts = {
      excerpt: SEPARATE,
      content: `<p>${SEPARATE}</p>`,
      image_caption: SEPARATE,
      seo_description: SEPARATE,
    };
    const names = { title: SEPARATE, slug: 'cafe\u0301', author: SEPARATE, category: SEPARATE, seo_title: SEPARATE };
    const post = await ada.call('POST', '/posts', { ...buildForm(texts), ...names, tags: [SEPARATE, '😀'] });
    const composed = { title: COMPOSED, slug: 'caf\u00e9', author: COMPOSED, category: COMPOSED, seo_title: COMPOSED };
    expect(post.status).toBe(201);
    const { body } = await ada.call('GET', `/posts/${(post.body as { id: string }).id}`);
    expect(body).toMatchObject({ saved: { ...texts, ...composed, tags: `${COMPOSED}, 😀` } });
    const { name } = buildEnquiry({ name: SEPARATE });
    const [email, message] = ['composed@example.org', SEPARATE];
    expect((await sendEnquiry(app, { name, email, message })).statusCode).toBe(200);
    expect(await storedFrom(app, email)).toMatchObject({ name: COMPOSED, message });
  });

  it('lead to a post however its address was typed', async () => {
    const slug = 'Ame\u0301lie';
    await createPosts(app, [{ slug }, { slug: 'old' }]);
    await app
      .get(EntityManager)
      .fork()
      .execute('update blog_posts set slug = ? where slug = ?', ['old-a\u0300', 'old']);
    const typed = await app.inject(paths.blog(slug));
    expect(typed).toMatchObject({ statusCode: 301, headers: { location: paths.blog('Am\u00e9lie') } });
    expect((await app.inject(paths.blog('Am\u00e9lie'))).statusCode).toBe(200);
    // One that an earlier release took as it was typed stays where it is.
    expect((await app.inject(paths.blog('old-a\u0300'))).statusCode).toBe(200);
  });

  it('in passwords are never changed', async () => {
    const sign = (call: string, email: string, password: string) =>
      app.inject({ method: 'POST', url: `/auth/v1/${call}`, payload: JSON.stringify({ email, password }) });
    for (const [index, password] of [' spaces \t', `e\u0301 ${'\u2126'} ﬁ`, '\u0007\ufeff\u200b12345'].entries()) {
      const email = `typed-${index}@example.org`;
      expect((await sign('signup', email, password)).statusCode).toBe(200);
      const others = [
        password.trim(),
        password.normalize('NFC'),
        password.normalize('NFKC'),
        cleanCharacters(password),
      ];
      for (const other of others.filter((text) => text !== password)) {
        expect((await sign('token?grant_type=password', email, other)).json()).toMatchObject({
          error_code: 'invalid_credentials',
        });
      }
      expect((await sign('token?grant_type=password', email, password)).statusCode).toBe(200);
    }
  });
});
