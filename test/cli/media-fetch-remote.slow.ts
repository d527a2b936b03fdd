import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { DoctorService } from '../../src/doctor/doctor.service.js';
import { examineConfig } from '../../src/doctor/examined-config.js';
import type { AdminPost, AdminPostPage } from '../../src/shared/contracts/admin-posts.js';
import type { PostDetail } from '../../src/shared/contracts/posts.js';
import { createAdministrator, rowsOf, type Administrator } from '../support/admin-posts.js';
import { onCleanup } from '../support/cleanup.js';
import { runCli } from '../support/cli.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import type { Variables } from '../support/environment.js';
import { toAnimatedPng } from '../support/animated-png.js';
import { changePosts, createPosts } from '../support/factories.js';
import { installLastRelease } from '../support/last-release.js';
import { startProcess } from '../support/process.js';
import { until } from '../support/until.js';

const asked: string[] = [];
/** Answers that the site has not given, by path. */
const held: ServerResponse[] = [];
let isHolding = false;
let site: string;

beforeAll(async () => {
  const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url?.startsWith('/gone')) response.writeHead(404).end();
    else if (request.url?.startsWith('/text')) response.end('no picture');
    else if (request.url?.startsWith('/moving')) response.end(toAnimatedPng(picture));
    else if (isHolding && request.url === '/slow.png') held.push(response);
    else response.end(picture);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(() => {
    server.closeAllConnections();
    server.close();
  });
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => void asked.splice(0));

const image = (name: string) => `<p><img src="${site}/${name}?a=1&amp;b" alt="${name}"></p>`;
const OURS = /^\/media\/[0-9a-f]{32}-40x30\.png$/;
const ARGUMENTS = ['media', 'fetch-remote', '--allow-private-host', '127.0.0.1'];

async function run(environment: Variables, ...args: string[]) {
  const { code, stdout, stderr } = await runCli([...ARGUMENTS, ...args], environment);
  expect(stderr).toBe('');
  return { code, stdout };
}

async function examine(environment: Variables) {
  const findings = await new DoctorService(examineConfig(environment)).examine();
  return findings.find(({ check }) => check === 'remote-images');
}

async function find(ada: Administrator, slug: string, state = ''): Promise<AdminPost> {
  const { body } = await ada.call<AdminPostPage>('GET', `/posts?q=${slug}${state}`);
  return (await ada.call('GET', `/posts/${body.items[0]?.id}`)).body;
}

async function startSite(): Promise<{ app: TestApp; ada: Administrator }> {
  const app = await createTestApp();
  return { app, ada: await createAdministrator(app, 'ada@example.com') };
}

it('stores the pictures of texts, edits that wait, versions, drafts and the trash, and says which it could not get', async () => {
  const { app, ada } = await startSite();
  const cover = { image_url: `${site}/cover.png`, social_image: `${site}/cover.png` };
  await createPosts(app, [
    { slug: 'shown', content: image('a.png') + image('gone.png') + image('text.png'), ...cover },
    { slug: 'draft', content: image('a.png'), is_published: false },
    { slug: 'trashed', content: image('a.png') },
    {
      slug: 'fine',
      content: `<p>A link to <a href="${site}/a.png">a picture</a> and <code>&lt;img src="${site}/b.png" alt=""&gt;</code></p>`,
    },
  ]);
  await changePosts(app, 'trash', ['trashed']);
  const before = await find(ada, 'shown');
  // Edits of a release that knew no better.
  const edits = { version: before.version, fields: { ...before.saved, content: image('edit.png') } };
  expect((await ada.call('PUT', `/posts/${before.id}/working-copy`, edits)).status).toBe(200);
  const shown = await find(ada, 'shown');
  const revisions = (await rowsOf(app, 'post_revisions')).length;
  expect(await examine(app.environment)).toMatchObject({
    level: 'warn',
    message: 'posts with pictures of other sites, in the place of which readers see links: 3, pictures: 5',
    advice: expect.stringContaining('media fetch-remote'),
  });

  const predicted = await run(app.environment, '--dry-run');
  expect(predicted.code).toBe(1);
  expect(predicted.stdout).toContain(`storable  ${site}/a.png?a=1&b of draft\n`);
  expect(predicted.stdout).toContain(
    '3 posts with 7 pictures of other sites: 5 can be stored, 2 not to be had (dry run',
  );
  expect(await find(ada, 'shown')).toEqual(shown);
  asked.splice(0);

  const done = await run(app.environment);
  expect(done.code).toBe(1);
  expect(done.stdout).toContain(`lost      ${site}/gone.png?a=1&b of shown: answered 404\n`);
  expect(done.stdout).toMatch(/lost {6}\S+\/text\.png\?a=1&b of shown: \S/);
  expect(done.stdout).toContain('3 posts with 7 pictures of other sites: 5 stored, 2 not to be had\n');
  // Each once, in whatever many posts it is.
  expect([...asked].sort()).toEqual([
    '/a.png?a=1&b',
    '/cover.png',
    '/edit.png?a=1&b',
    '/gone.png?a=1&b',
    '/text.png?a=1&b',
  ]);

  const after = await find(ada, 'shown');
  const ours = after.saved.image_url;
  expect(ours).toMatch(OURS);
  expect(after).toEqual({
    ...shown,
    version: shown.version + 1,
    // The author's own save was another version.
    save_id: null,
    picture: expect.objectContaining({ src: ours }),
    saved: {
      ...shown.saved,
      image_url: ours,
      social_image: ours,
      content: `<p><img src="${ours}" alt="a.png"></p>${image('gone.png')}${image('text.png')}`,
    },
    working_copy: {
      ...shown.working_copy,
      fields: {
        ...shown.working_copy?.fields,
        image_url: ours,
        social_image: ours,
        content: `<p><img src="${ours}" alt="edit.png"></p>`,
      },
    },
  });
  const { content } = (await app.inject('/api/posts/shown')).json<PostDetail>();
  expect(content).toContain(`<source type="image/avif" srcset="${ours.replace('.png', '')}`);
  expect(content).toContain(`<a href="${site}/gone.png?a=1&amp;b">gone.png</a>`);
  expect((await find(ada, 'draft')).saved.content).toBe(`<p><img src="${ours}" alt="a.png"></p>`);
  expect((await find(ada, 'trashed', '&state=trashed')).saved.content).toBe(`<p><img src="${ours}" alt="a.png"></p>`);
  expect((await find(ada, 'fine')).version).toBe(1);
  const versions = await rowsOf(app, 'post_revisions');
  expect(versions).toHaveLength(revisions);
  const kept = JSON.stringify(versions.map(({ fields }) => fields));
  const pictures = [...kept.matchAll(/(?:<img src=\\"|_(?:url|image)":")([^"?]*)/g)].map(([, address]) => address);
  expect(pictures.filter((address) => address?.startsWith('http')).sort()).toEqual([
    `${site}/gone.png`,
    `${site}/text.png`,
  ]);
  expect(
    (await ada.call<{ items: { uses: unknown[] }[] }>('GET', '/media')).body.items[0]?.uses.length,
  ).toBeGreaterThan(4);

  // Who had the post open meets a conflict, and does not write the old addresses again.
  const late = { ...shown.saved, version: shown.version };
  expect((await ada.call('PUT', `/posts/${shown.id}`, late)).status).toBe(409);

  const again = JSON.parse((await run(app.environment, '--json')).stdout) as { posts: { slug: string }[] };
  expect(again).toMatchObject({ isDryRun: false, stored: 0, lost: 2 });
  expect(again.posts.map(({ slug }) => slug)).toEqual(['shown']);
  expect((await find(ada, 'shown')).version).toBe(after.version);
  expect(await examine(app.environment)).toMatchObject({
    level: 'warn',
    message: expect.stringMatching(/: 1, pictures: 2$/),
  });
});

it('leaves an animation where it is that would stand still here', async () => {
  const { app, ada } = await startSite();
  await createPosts(app, [{ slug: 'moving', content: image('moving.png') }]);
  for (const options of [['--dry-run'], []]) {
    const { code, stdout } = await run(app.environment, ...options);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/lost {6}\S+\/moving\.png\S+ of moving: .*stand still here/),
    ]);
  }
  expect((await find(ada, 'moving')).saved.content).toBe(image('moving.png'));
});

it('goes on where it was killed, and writes over nothing that was saved meanwhile', async () => {
  const { app, ada } = await startSite();
  await createPosts(app, [
    { slug: 'one', content: image('a.png') },
    { slug: 'two', content: `<p><img src="${site}/slow.png" alt=""></p>` },
  ]);
  isHolding = true;
  const killed = startProcess(['dist/cli.js', ...ARGUMENTS], app.environment);
  await killed.waitForOutput(/stored .* of one/);
  await until(() => held.length > 0);
  await killed.stop('SIGKILL');
  expect((await find(ada, 'one')).saved.content).toContain('<img src="/media/');

  const second = startProcess(['dist/cli.js', ...ARGUMENTS], app.environment);
  await until(() => held.length > 1);
  const two = await find(ada, 'two');
  const saved = { ...two.saved, version: two.version, content: `<p>Meanwhile</p>${two.saved.content}` };
  expect((await ada.call('PUT', `/posts/${two.id}`, saved)).status).toBe(200);
  isHolding = false;
  held.at(-1)?.writeHead(503).end();
  expect(await second.ended).toMatchObject({ code: 0, stderr: '' });
  expect((await find(ada, 'two')).saved.content).toMatch(
    /^<p>Meanwhile<\/p><p><img src="\/media\/[^"]+" alt=""><\/p>$/,
  );
  expect(await run(app.environment)).toMatchObject({
    code: 0,
    stdout: '0 posts with 0 pictures of other sites: 0 stored, 0 not to be had\n',
  });
});

it('asks nothing at a private address unless it is named', async () => {
  const { app } = await startSite();
  await createPosts(app, [{ slug: 'one', content: image('a.png') }]);
  const { code, stdout } = await runCli(['media', 'fetch-remote'], app.environment);
  expect(code).toBe(1);
  expect(stdout).toContain('of one: is at a private address (127.0.0.1), which is refused\n');
  expect(asked).toEqual([]);
});

it('brings the posts of the last release up to date', async () => {
  const installation = await installLastRelease();
  for (const table of ['blog_posts', 'post_revisions']) {
    const column = table === 'blog_posts' ? 'content' : 'fields';
    const type = table === 'blog_posts' ? 'text' : 'jsonb';
    const moved = `replace(${column}::text, 'https://pictures.example', '${site}')::${type}`;
    await installation.query(`update ${table} set ${column} = ${moved}`);
  }
  // Before the migration the doctor looks already, and the schema is what it complains of.
  expect(await examine(installation.environment)).toMatchObject({
    level: 'warn',
    message: expect.stringMatching(/: 1, pictures: 1$/),
  });
  expect((await runCli(['db', 'migrate'], installation.environment)).code).toBe(0);
  expect(await run(installation.environment)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 post with 1 picture'),
  });
  expect(await examine(installation.environment)).toMatchObject({ level: 'ok' });
  expect(await installation.query(`select count(*)::int from blog_posts where content like '%${site}%'`)).toEqual([
    { count: 0 },
  ]);
});
