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
import { STORAGE, type Storage } from '../../src/uploads/storage/storage.js';
import { onCleanup } from '../support/cleanup.js';
import { createTestApp } from '../support/create-test-app.js';
import { importPosts } from '../support/import-posts.js';
import { makeFilm, makeMp3 } from '../support/playable-files.js';
import { makeHeavyJpeg } from '../support/slow-jpeg.js';
import { itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';

itSlow('fetches images of other sites, links to those it cannot have, and tries these again', async () => {
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

itSlow('leaves out an image that takes too much to decode, by its name, and takes the post', async () => {
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

it('takes the sound and films that posts play, and makes links of those that cannot be played here', async () => {
  const app = await createTestApp();
  const folder = temporaryFolder();
  const write = (name: string, bytes: Buffer | string) => writeFileSync(join(folder, name), bytes);
  const picture = await sharp({ create: { width: 64, height: 36, channels: 3, background: 'blue' } })
    .png()
    .toBuffer();
  write('film.MOV', makeFilm(3));
  write('same.mp4', makeFilm(3));
  write('cut.mp4', makeFilm(4).subarray(0, 900));
  write('talk.mp3', makeMp3());
  write('film.vtt', 'WEBVTT\n');
  write('still.png', picture);
  const body = [
    '<video poster="still.png" title="The film"><source src="film.MOV"><track src="film.vtt" srclang="en"></video>',
    '<video src="same.mp4"></video>',
    'Words <audio src="/talk.mp3" controls></audio> go on',
    '<video src="cut.mp4"></video> <audio src="https://far.example/a.mp3"></audio> <audio src="gone.ogg"></audio>',
    '```\n<audio src="talk.mp3">\n```',
  ];
  const text = (words: string) => `---\ntitle: A\ndate: 2024-01-01\npublished: true\n---\n${words}\n`;
  write('a.md', text(body.join('\n\n')));
  const run = async (options: ImportOptions = {}) =>
    (await importPosts(app, folder, { source: 'test', ...options })).items[0];
  const files = async () => {
    const em = app.get(EntityManager).fork();
    return await em.execute<{ kind: string; name: string; uses: number }[]>(
      `select kind, name, (select count(*)::int from image_uses where image_id = images.id and kind = 'post') as uses
       from images order by kind, name`,
    );
  };
  const warnings = [
    'the video cut.mp4 became a link: it is not sound or a film that browsers play, or is cut off',
    'the audio https://far.example/a.mp3 became a link: it is on another site',
    'the audio gone.ogg became a link: it was not found',
  ];
  const dry = await run({ isDryRun: true });
  expect(dry).toMatchObject({ outcome: 'created', warnings });
  expect(await files()).toEqual([]);
  expect(await run()).toMatchObject({ outcome: 'created', warnings });
  expect((await files()).map(({ kind, uses }) => [kind, uses])).toEqual([
    ['audio', 1],
    ['captions', 1],
    ['image', 1],
    ['video', 1],
  ]);
  const [audio, captions, image, video] = (await files()).map(({ name }) => `/media/${name}`);
  const stored = await app.get(EntityManager).fork().execute<{ content: string }[]>('select content from blog_posts');
  const player = (tag: string, attributes: string, inside = '') =>
    `<${tag} class="ql-player" ${attributes} controls="" preload="metadata">${inside}</${tag}>`;
  expect(stored[0]?.content.replaceAll('\n', '')).toBe(
    player(
      'video',
      `src="${video}" title="The film" poster="${image}"`,
      `<track kind="subtitles" src="${captions}" srclang="en">`,
    ) +
      player('video', `src="${video}"`) +
      `<p>Words </p>${player('audio', `src="${audio}"`)}<p>go on</p>` +
      '<p><a href="cut.mp4">cut.mp4</a> <a href="https://far.example/a.mp3">a.mp3</a> <a href="gone.ogg">gone.ogg</a></p>' +
      '<pre><code>&lt;audio src="talk.mp3"&gt;</code></pre>',
  );
  expect((await app.inject({ url: video ?? '', headers: { range: 'bytes=0-7' } })).rawPayload).toEqual(
    makeFilm(3).subarray(0, 8),
  );
  const page = (await app.inject('/api/posts/a')).json<PostDetail>().content;
  expect(page).toContain(`<a class="player-file" href="${video}">The film</a>`);

  expect(await run()).toMatchObject({ outcome: 'unchanged', warnings });
  await app.get<Storage>(STORAGE).delete(video?.slice('/media/'.length) ?? '');
  expect(await run()).toMatchObject({
    outcome: 'unchanged',
    warnings: [...warnings, 'files of 1 image of it were lost and are brought back'],
  });
  expect((await app.inject(video ?? '')).rawPayload).toEqual(makeFilm(3));
  // Other bytes under the same name are another file.
  write('talk.mp3', makeMp3(2));
  expect(await run()).toMatchObject({ outcome: 'updated' });
  expect((await files()).filter(({ kind }) => kind === 'audio')).toHaveLength(2);
});

itSlow('refuses a post by name that shows an image of this site which was removed, and takes the others', async () => {
  const app = await createTestApp();
  const folder = temporaryFolder();
  const picture = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  writeFileSync(join(folder, 'gone.png'), picture);
  writeFileSync(join(folder, 'first.md'), '---\ntitle: First\ndate: 2024-01-01\n---\n![Gone](gone.png)\n');
  await importPosts(app, folder, { source: 'test' });
  const em = app.get(EntityManager).fork();
  const [{ name } = { name: '' }] = await em.execute<{ name: string }[]>('select name from images');
  await em.execute('delete from image_uses');
  await em.execute('update images set removed_at = now()');

  const others = temporaryFolder();
  writeFileSync(join(others, 'a.md'), '---\ntitle: A\ndate: 2024-01-01\n---\nText\n');
  writeFileSync(join(others, 'b.md'), `---\ntitle: B\ndate: 2024-01-01\n---\n![Gone](/media/${name})\n`);
  const { items } = await importPosts(app, others, { source: 'others' });
  expect(items).toMatchObject([
    { slug: 'a', outcome: 'created' },
    { slug: 'b', outcome: 'refused', reasons: [expect.stringContaining('an image that was removed from the media')] },
  ]);
});
