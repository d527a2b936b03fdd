import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import sharp from 'sharp';
import type { ImportOptions } from '../../src/shared/contracts/import-report.js';
import type { PostDetail } from '../../src/shared/contracts/posts.js';
import { onCleanup } from '../support/cleanup.js';
import { createTestApp } from '../support/create-test-app.js';
import { importPosts } from '../support/import-posts.js';
import { makeHeavyJpeg } from '../support/slow-jpeg.js';
import { temporaryFolder } from '../support/temporary-folder.js';

it('fetches images of other sites, links to those it cannot have, and tries these again', async () => {
  const app = await createTestApp();
  const image = await sharp({ create: { width: 64, height: 32, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const requests: string[] = [];
  let isComplete = false;
  const site = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (request.url === '/here.png' || isComplete) response.end(image);
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  onCleanup(() => void site.close());
  const base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const folder = temporaryFolder();
  const body = `![Here](${base}/here.png)\n\n![Later](${base}/later.png?a=1&b=2)`;
  writeFileSync(
    join(folder, 'a.md'),
    `---\ntitle: A\ndate: 2024-01-01\npublished: true\nimage: ${base}/here.png\n---\n${body}\n`,
  );
  const cover = `image: ${base}/later.png?a=1&b=2\nimage_alt: Later`;
  writeFileSync(join(folder, 'b.md'), `---\ntitle: B\ndate: 2024-01-01\n${cover}\n---\nText\n`);
  const run = async (options: ImportOptions = {}) => {
    requests.splice(0);
    const { items } = await importPosts(app, folder, { source: 'test', privateHosts: ['127.0.0.1'], ...options });
    return items[0];
  };
  const readStored = async () =>
    await app
      .get(EntityManager)
      .fork()
      .execute<{ content: string; image_url: string | null; image_alt: string | null }[]>(
        'select content, image_url, image_alt from blog_posts order by slug',
      );
  const read = async () => (await app.inject('/api/posts/a')).json<PostDetail>();
  const note = (reason: string) =>
    expect.stringContaining(`/later.png?a=1&b=2: ${reason}; left out, with a link to it where the text shows it`);

  const refused = await run({ isDryRun: true, privateHosts: [] });
  expect(refused).toMatchObject({ outcome: 'created', warnings: [expect.any(String), expect.any(String)] });
  expect(refused?.warnings[1]).toContain('is at a private address (127.0.0.1), which is refused');
  expect(requests).toEqual([]);

  const predicted = await run({ isDryRun: true });
  expect(predicted).toMatchObject({ outcome: 'created', warnings: [note('answered 404')] });
  expect(await run()).toEqual(predicted);
  expect(requests).toEqual(['/here.png', '/later.png?a=1&b=2']);
  const post = await read();
  expect(post.picture).toMatchObject({ width: 64, height: 32 });
  expect(post.content).toMatch(/<img src="\/media\/[0-9a-f]{32}-64x32\.png" alt="Here"/);
  const [text, covered] = await readStored();
  expect(text?.content).toMatch(/<img src="\/media\/[^"]+" alt="Here">/);
  expect(text?.content).toContain(`<a href="${base}/later.png?a=1&amp;b=2">Later</a>`);
  expect(covered).toMatchObject({ image_url: null, image_alt: null });

  expect(await run({ isFetching: false })).toMatchObject({ outcome: 'unchanged' });
  expect(requests).toEqual([]);
  expect(await run()).toMatchObject({ outcome: 'unchanged', warnings: [note('answered 404')] });
  isComplete = true;
  expect(await run()).toMatchObject({ outcome: 'updated', warnings: [] });
  expect((await read()).content).toMatch(/<img src="\/media\/[0-9a-f]{32}-64x32\.png" alt="Later"/);
  expect((await readStored())[1]).toMatchObject({ image_url: expect.stringMatching(/^\/media\//), image_alt: 'Later' });
  expect(await run()).toMatchObject({ outcome: 'unchanged' });
  expect(requests).toEqual([]);
});

it('leaves out an image that takes too much to decode, by its name, and takes the post', async () => {
  const app = await createTestApp();
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'heavy.jpg'), makeHeavyJpeg(7000));
  const image = sharp({ create: { width: 64, height: 32, channels: 3, background: 'blue' } });
  writeFileSync(join(folder, 'good.png'), await image.png().toBuffer());
  const text = '![Heavy](heavy.jpg)\n\n![Good](good.png)';
  writeFileSync(
    join(folder, 'b.md'),
    `---\ntitle: B\ndate: 2024-01-01\npublished: true\nimage: heavy.jpg\n---\n${text}\n`,
  );
  const run = async (options: ImportOptions = {}) =>
    (await importPosts(app, folder, { source: 'test', ...options })).items[0];

  const reason = 'the image heavy.jpg: The image takes too much memory to decode: make it smaller; left out';
  expect(await run({ isDryRun: true })).toMatchObject({ outcome: 'created', warnings: [reason] });
  expect(await run()).toMatchObject({ outcome: 'created', warnings: [reason] });
  const post = (await app.inject('/api/posts/b')).json<PostDetail>();
  expect(post.picture).toBeNull();
  expect(post.content).toMatch(/<img src="\/media\/[0-9a-f]{32}-64x32\.png" alt="Good"/);
  expect(post.content).not.toContain('Heavy');
});
