import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { ImportItem, ImportOptions } from '../../src/shared/contracts/import-report.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { importPosts } from '../support/import-posts.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const blogs = new URL('../fixtures/blogs/', import.meta.url).pathname;
const sources = {
  wordpress: {
    text: readFileSync(join(blogs, 'wordpress/lindqvist-baer.WordPress.xml'), 'utf8'),
    file: 'export.xml',
    folder: 'wp-content/uploads/2015/03',
    /** The file as the release before read it: without what only this one takes. */
    strip: (text: string) =>
      text
        .replaceAll(/<wp:postmeta><wp:meta_key><!\[CDATA\[(?:_yoast_wpseo|rank_math)_.*?<\/wp:postmeta>/g, '')
        .replaceAll(/(?<=<excerpt:encoded><!\[CDATA\[)(?:Hafenstraße 7, first floor|A key in a lock)(?=\]\])/g, ''),
  },
  ghost: {
    text: readFileSync(join(blogs, 'ghost/lindqvist-baer.ghost.json'), 'utf8'),
    file: 'ghost.json',
    folder: 'content/images/2015/03',
    strip: (text: string) =>
      text.replaceAll(/"(og_image|meta_title|meta_description|feature_image_caption)": ".*"/g, '"$1": null'),
  },
} as const;

const description = 'Why length beats cleverness, with three rules for a small office.';
const media = expect.stringMatching(/^\/media\/[0-9a-f]{32}-64x32\.png$/);
const nothing = { image_caption: null, seo_title: null, seo_description: null, social_image: null };
const caption = { ...nothing, image_caption: 'Hafenstraße 7, first floor' };

let app: TestApp;
let base: string;

beforeEach(async () => {
  app = await createTestApp();
  base = temporaryFolder();
});

async function addPictures(folder: string): Promise<void> {
  const image = sharp({ create: { width: 64, height: 32, channels: 3, background: 'red' } });
  const bytes = await image.png().toBuffer();
  for (const name of ['doors', 'rack', 'key', 'floor-plan']) {
    const path = join(base, 'assets', folder, `${name}.png`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
}

async function run(file: string, text: string, options: ImportOptions = {}): Promise<Map<string, ImportItem>> {
  writeFileSync(join(base, file), text);
  const assetsFolder = join(base, 'assets');
  const { items } = await importPosts(app, join(base, file), { isFetching: false, assetsFolder, ...options });
  return new Map(items.flatMap((item) => (item.slug === null ? [] : [[item.slug, item]])));
}

const sql = async (text: string) => await app.get(EntityManager).fork().execute<Record<string, unknown>[]>(text);
const columns = 'image_caption, seo_title, seo_description, social_image';
const read = async (slug: string) => (await sql(`select ${columns} from blog_posts where slug = '${slug}'`))[0];
const outcomesOf = (items: Map<string, ImportItem>) => [...new Set([...items.values()].map(({ outcome }) => outcome))];

describe.each(['wordpress', 'ghost'] as const)('what %s tells search engines, and captions', (name) => {
  const { text, file, folder, strip } = sources[name];
  const filled =
    name === 'wordpress' ? ['passwords-are-not-riddles', 'the-quiet-network'] : ['passwords-are-not-riddles'];

  it('come over with the posts', async () => {
    await addPictures(folder);
    const items = await run(file, text);
    expect(outcomesOf(items)).toEqual(['created']);
    expect(await read('we-open-our-doors')).toEqual(caption);
    expect(await read('passwords-are-not-riddles')).toEqual({
      image_caption: name === 'ghost' ? null : 'A key in a lock',
      seo_title: name === 'ghost' ? 'Passwords that people can use' : null,
      seo_description: description,
      social_image: media,
    });
    expect(await read('backups-that-come-back')).toEqual(nothing);
    if (name === 'ghost') return;
    expect(await read('the-quiet-network')).toEqual({
      image_caption: null,
      seo_title: 'Quiet Wi-Fi',
      seo_description: 'Fewer access points, more network: Five access points were too many.',
      social_image: media,
    });
  });

  it('fill posts that the release before imported, once, and leave those alone that were edited here', async () => {
    await addPictures(folder);
    expect(outcomesOf(await run(file, strip(text)))).toEqual(['created']);
    expect(await read('we-open-our-doors')).toEqual(nothing);
    await sql(`update blog_posts set title = 'Ours' where slug = 'passwords-are-not-riddles'`);
    const again = await run(file, text);
    const updated = [...again.values()].filter(({ outcome }) => outcome === 'updated').map(({ slug }) => slug);
    expect(updated).toEqual(['we-open-our-doors', ...filled.slice(1)]);
    const refused = [...again.values()].filter(({ outcome }) => outcome === 'refused');
    expect(refused).toMatchObject([{ slug: filled[0], reasons: [expect.stringContaining('was edited here')] }]);
    expect(await read('we-open-our-doors')).toEqual(caption);
    const overwritten = await run(file, text, { isOverwriting: true });
    expect(overwritten.get('passwords-are-not-riddles')).toMatchObject({ outcome: 'updated' });
    expect(await read('passwords-are-not-riddles')).toMatchObject({
      seo_description: description,
      social_image: media,
    });
    expect(outcomesOf(await run(file, text))).toEqual(['unchanged']);
  });

  it('cost no post anything where the image for sharing is missing or is none', async () => {
    await addPictures(folder);
    const broken = text.replace(
      name === 'ghost'
        ? /"og_image": ".*"/
        : /(?<=opengraph-image\]\]><\/wp:meta_key><wp:meta_value><!\[CDATA\[).*?(?=\]\])/,
      name === 'ghost' ? '"og_image": "__GHOST_URL__/content/images/lost.png"' : '/lost/nowhere.png',
    );
    expect(broken).not.toBe(text);
    const missing = (await run(file, broken)).get('passwords-are-not-riddles');
    expect(missing).toMatchObject({ outcome: 'created', warnings: [expect.stringMatching(/lost|nowhere/)] });
    const noImage = join(base, 'assets', name === 'ghost' ? 'content/images/lost.png' : 'lost/nowhere.png');
    mkdirSync(dirname(noImage), { recursive: true });
    writeFileSync(noImage, 'no image');
    const rejected = (await run(file, broken)).get('passwords-are-not-riddles');
    expect(rejected).toMatchObject({
      outcome: 'updated',
      reasons: [],
      warnings: [expect.stringContaining('left out')],
    });
    expect(await read('passwords-are-not-riddles')).toMatchObject({ seo_description: description, social_image: null });
    expect(outcomesOf(await run(file, broken))).toEqual(['unchanged']);
  });
});

it('texts for search engines that are too long are cut, and the note holds all of them', async () => {
  const long = `Passwords ${'and more passwords '.repeat(5)}`.trim();
  const { text, file, folder } = sources.ghost;
  await addPictures(folder);
  const longer = text.replace('"Passwords that people can use"', JSON.stringify(long));
  const item = (await run(file, longer)).get('passwords-are-not-riddles');
  expect(item).toMatchObject({ outcome: 'created', reasons: [] });
  expect(item?.warnings).toContainEqual(expect.stringContaining(`the seo_title has ${long.length} characters`));
  expect(item?.warnings).toContainEqual(expect.stringContaining(long));
  const stored = await read('passwords-are-not-riddles');
  expect(stored?.['seo_title']).toMatch(/^Passwords and more.*…$/);
});
