import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { NotPlayableError, type PlayableFile } from '../../uploads/playable-files.service.js';
import { ImageFinder } from './image-finder.js';
import { ImageResolver } from './image-resolver.js';
import type { ImageOrigin } from './pending-image.js';

const DATA = 'data:image/png;base64,iVBORw0KGgo=';
const HOSTED = `/media/${'a'.repeat(32)}-64x32.png`;

/** Takes every file for a film, or for captions, unless it is called 'bad'. */
const playable = {
  inspect: async (path: string, isForCaptions = false): Promise<PlayableFile> => {
    if (path.includes('bad')) throw new NotPlayableError('is not sound or a film');
    const kind = isForCaptions ? 'captions' : 'video';
    return { path, kind, extension: isForCaptions ? 'vtt' : 'mp4', size: 1, sha256: path.slice(base.length + 1) };
  },
};

let base: string;
let finder: ImageFinder;

beforeAll(async () => {
  base = temporaryFolder();
  for (const path of [
    ...['posts/near.png', 'backup/uploads/2020/01/a b.png', 'backup/logo.png'],
    ...['posts/u\u0308.png', 'backup/uploads/2020/01/\u00e9.png', 'posts/a%20c.png'],
    ...['backup/uploads/logo.png', 'backup/uploads/logo-300x200.png', 'backup/images/2020/01/a b.png'],
    ...['posts/film.mp4', 'posts/bad.mp4', 'posts/film.vtt', 'backup/uploads/a.mp3'],
  ]) {
    mkdirSync(join(base, path, '..'), { recursive: true });
    writeFileSync(join(base, path), path);
  }
  writeFileSync(join(base, 'backup/large.png'), Buffer.alloc(5 * 1024 * 1024));
  finder = await ImageFinder.create(join(base, 'posts'), join(base, 'backup'));
});

const resolve = (html: string, more: { baseUrl?: string | null; image?: string } = {}) => {
  const image = more.image === undefined ? null : { address: more.image, alt: null };
  const baseUrl = more.baseUrl === undefined ? 'https://www.old.example/blog/post/' : more.baseUrl;
  return new ImageResolver(finder, playable).resolve({
    html,
    image,
    baseUrl,
    folder: '.',
  });
};
const describeOrigin = (origin: ImageOrigin | undefined) =>
  origin === undefined ? null : 'path' in origin ? origin.path.slice(base.length + 1) : origin.url;
const originOf = async (address: string, baseUrl?: string | null) => {
  const { images, html, warnings } = await resolve(`<img src="${address}">`, baseUrl === undefined ? {} : { baseUrl });
  return describeOrigin(images[0]?.origin) ?? warnings[0] ?? html;
};

describe('ImageResolver', () => {
  it('names an image once that is missing twice', async () => {
    const text = '<p>Text<img src="gone.png"><img src="gone.png"></p>';
    const resolved = await resolve(text, { baseUrl: null, image: 'gone.png' });
    expect(resolved).toMatchObject({ html: '<p>Text</p>', imageUrl: null, images: [] });
    expect(resolved.missing).toEqual(['the image gone.png: was not found']);
    expect(resolved.warnings).toEqual(['the image gone.png: was not found; left out']);
  });

  it.each([
    ['near.png', 'posts/near.png'],
    [' /near.png?v=1 ', 'posts/near.png'],
    ['\u00fc.png', 'posts/u\u0308.png'],
    ['%C3%BC.png', 'posts/u\u0308.png'],
    ['a%20c.png', 'posts/a%20c.png'],
    ['https://old.example/wp-content/uploads/2020/01/e%CC%81.png', 'backup/uploads/2020/01/\u00e9.png'],
    ['https://elsewhere.example/a.png', 'https://elsewhere.example/a.png'],
    ['//elsewhere.example/a b.png', 'https://elsewhere.example/a%20b.png'],
    ['HTTP://Elsewhere.example/a.png', 'http://elsewhere.example/a.png'],
    ['pictures/a.png', 'https://www.old.example/blog/post/pictures/a.png'],
    ['/a.png?x=1&amp;y=2', 'https://www.old.example/a.png?x=1&y=2'],
    [DATA, DATA],
    [HOSTED, `<img src="${HOSTED}" alt="">`],
    ['https://old.example/wp-content/uploads/2020/01/a%20b.png', 'backup/uploads/2020/01/a b.png'],
    ['https://i0.wp.example/old.example/wp-content/uploads/2020/01/a%20b.png?w=3', 'backup/uploads/2020/01/a b.png'],
    ['https://old.example/logo.png', 'backup/logo.png'],
    ['https://elsewhere.example/logo.png', 'https://elsewhere.example/logo.png'],
    ['https://old.example/wp-content/uploads/%2e%2e%2f..%2f../etc/passwd', /^https:\/\/old\.example\//],
    ['/large.png', /^the image \/large\.png: Image must be less than 5MB; left out$/],
    ['', /^the image without an address: is no address of a file; left out/],
    ['ftp://old.example/a.png', /^the image ftp:\/\/old\.example\/a\.png: was not found/],
    ['data:image/svg+xml;base64,PHN2Zz4=', /is part of the text in a form that cannot be read; left out/],
    ['data:image/png;base64,%%%', /cannot be read/],
    [`data:image/png;base64,${'A'.repeat(7_000_000)}`, /^the image data:.{55}\.\.\.: is part of the text/],
  ])('finds %.60s', async (address, expected) => {
    const found = await originOf(address);
    if (typeof expected === 'string') expect(found).toBe(expected);
    else expect(found).toMatch(expected);
  });

  it.each([
    ['https://old.example/wp-content/uploads/2020/01/a%20b-300x200.png', 'backup/uploads/2020/01/a b.png'],
    ['/wp-content/uploads/2020/01/a b-1024x768.png', 'backup/uploads/2020/01/a b.png'],
    ['/wp-content/uploads/logo-300x200.png', 'backup/uploads/logo-300x200.png'],
    ['https://old.example/content/images/size/w600/2020/01/a%20b.png', 'backup/images/2020/01/a b.png'],
    ['near-300x200.png', 'https://www.old.example/blog/post/near-300x200.png'],
    ['/blog/wp-content/uploads/2020/01/a b.png', 'backup/uploads/2020/01/a b.png'],
    ['/blog/wp-content/uploads/gone-300x200.png', 'https://www.old.example/blog/wp-content/uploads/gone-300x200.png'],
  ])(
    'finds %s also where the picture is there in another size, or in a folder of uploads',
    async (address, expected) => {
      expect(await originOf(address)).toBe(expected);
    },
  );

  it('finds files only, where the address of the post is not known', async () => {
    expect(await originOf('pictures/a.png', null)).toContain('was not found; left out');
    expect(await originOf('https://old.example/logo.png', null)).toBe('https://old.example/logo.png');
    expect(await originOf('pictures/a.png', 'not an address')).toContain('was not found');
  });

  it.each([
    ['https://site.example/blog/near.png', 'posts/near.png'],
    ['//www.site.example/blog/near.png?v=1', 'posts/near.png'],
    ['http://site.example/near.png', 'posts/near.png'],
    ['/blog/near.png#x', 'posts/near.png'],
    ['https://site.example/blog/gone.png', 'https://site.example/blog/gone.png'],
    ['https://other.example/blog/near.png', 'https://other.example/blog/near.png'],
    ['/blog/gone.png', 'the image /blog/gone.png: was not found; left out'],
  ])('finds %s of a site that begins at a path in its folder', async (address, expected) => {
    const post = { html: `<img src="${address}">`, image: null, baseUrl: null, folder: '.' };
    const siteUrl = 'https://site.example/blog/';
    const { images, warnings } = await new ImageResolver(finder, playable).resolve({ ...post, siteUrl });
    expect(describeOrigin(images[0]?.origin) ?? warnings[0]).toBe(expected);
  });

  it('puts one placeholder for one image, however it is named, and keeps what is said of it', async () => {
    const html = `<p><img src="near.png" alt="a &amp; b" role="presentation" width="3" class="x"><img data-src="/near.png">`;
    const { html: resolved, imageUrl, images } = await resolve(html, { image: './near.png' });
    expect(imageUrl).toBe('/media/pending-0');
    expect(images).toHaveLength(1);
    expect(images[0]).toMatchObject({ written: './near.png', identity: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(resolved).toBe(
      '<p><img src="/media/pending-0" alt="a &amp; b" role="presentation" width="3"><img src="/media/pending-0" alt="">',
    );
  });

  it('gives the files that players play placeholders, with their posters and captions', async () => {
    const player = (src: string, rest = '', tracks = '') =>
      `<video class="ql-player" src="${src}"${rest}>${tracks}</video>`;
    const track = (src: string) => `<track kind="captions" src="${src}" srclang="en">`;
    const written = [
      player('film.mp4', ' title="A &amp; b" poster="near.png" width="3"', track('film.vtt') + track('gone.vtt')),
      player('https://old.example/wp-content/uploads/a.mp3'),
      player('/film.mp4'),
    ];
    const { html, images, files, warnings } = await resolve(`<img src="near.png">${written.join('')}`);
    expect(html).toBe(
      '<img src="/media/pending-0" alt="">' +
        player(
          '/media/pending-1',
          ' title="A &amp; b" width="3" poster="/media/pending-0"',
          track('/media/pending-2'),
        ) +
        player('/media/pending-3') +
        player('/media/pending-1'),
    );
    expect(images).toHaveLength(1);
    expect(files.map(({ placeholder, file }) => [placeholder, file.kind, file.sha256])).toEqual([
      ['/media/pending-1', 'video', 'posts/film.mp4'],
      ['/media/pending-2', 'captions', 'posts/film.vtt'],
      ['/media/pending-3', 'video', 'backup/uploads/a.mp3'],
    ]);
    expect(warnings).toEqual(['the captions gone.vtt: was not found; left out']);
  });

  it.each([
    ['bad.mp4', 'https://www.old.example/blog/post/bad.mp4', 'is not sound or a film'],
    ['gone.mp4', 'https://www.old.example/blog/post/gone.mp4', 'was not found'],
    ['https://far.example/a.mp4', 'https://far.example/a.mp4', 'is on another site'],
  ])('makes a player of %s a link, and says why', async (src, address, reason) => {
    const player = `<video class="ql-player" src="${src}" title="A"></video>`;
    const { html, files, warnings } = await resolve(`<p>b${player}c</p>`);
    expect(html).toBe(`<p>b <a href="${address}">A</a> c</p>`);
    expect((await resolve(player)).html).toBe(`<a href="${address}">A</a>`);
    expect(files).toEqual([]);
    expect(warnings).toEqual([`the video ${src} became a link: it ${reason}`]);
  });
});
