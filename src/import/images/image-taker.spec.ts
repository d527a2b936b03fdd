import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { toAnimatedPng } from '../../../test/support/animated-png.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { ImageRejectedError } from '../../uploads/uploads.service.js';
import type { ImageOrigin } from './pending-image.js';
import { ImageTaker } from './image-taker.js';
import { ImageUnavailableError } from './image-unavailable.error.js';

const folder = temporaryFolder();
const file = (name: string): ImageOrigin => {
  writeFileSync(join(folder, name), name);
  return { path: join(folder, name) };
};
const web = (name: string): ImageOrigin => ({ url: `https://old.example/${name}` });
const data: ImageOrigin = { url: `DATA:image/png;base64,${Buffer.from('in-text').toString('base64')}` };

/** A taker over a storage that refuses what is called 'bad', and a site that lacks what is called 'gone'. */
function startTaking({ isDryRun = false, isFetching = true, isBroken = false } = {}) {
  const stored: string[] = [];
  const fetched: string[] = [];
  const check = async (bytes: Buffer) => {
    if (bytes.includes('bad')) throw new ImageRejectedError('image_unsupported', 'This is not an image');
    return { format: 'png' as const, width: 1, height: 1, isAnimated: false };
  };
  const hosted = (bytes: Buffer) => ({ url: `/media/${String(bytes)}`, width: 1, height: 1, isAnimated: false });
  const taker = new ImageTaker({
    uploads: {
      findImage: async (bytes) => (bytes.includes('known') ? { ...hosted(bytes), name: 'x', bytes: 1 } : null),
      inspectImage: check,
      drawIfVector: async (bytes) => (bytes.includes('svg') ? Buffer.from('drawn') : bytes),
      storeImage: async (bytes) => {
        if (isBroken) throw new Error('The disk is full');
        await check(bytes);
        stored.push(String(bytes));
        return { ...hosted(bytes), name: 'x', bytes: 1, isNew: true };
      },
    },
    playable: {
      find: async ({ kind }) => (kind === 'audio' ? '/media/known.mp3' : null),
      store: async ({ kind }) => `/media/stored-${kind}`,
    },
    fetcher: !isFetching
      ? null
      : {
          fetch: async (url) => {
            fetched.push(url);
            if (url.endsWith('gone')) throw new ImageUnavailableError('answered 404');
            return Buffer.from(url.slice('https://old.example/'.length));
          },
        },
    isDryRun,
  });
  const take = async (...origins: ImageOrigin[]) => {
    const images = origins.map((origin, index) => {
      const written = 'path' in origin ? 'a file' : origin.url.slice(0, 40);
      return { placeholder: `/media/pending-${index}`, written, identity: 'x', origin };
    });
    const { addresses, unfetched, warnings } = await taker.take(images);
    return { addresses: Object.fromEntries(addresses), unfetched: [...unfetched], warnings };
  };
  return { take, stored, fetched };
}

const GONE = 'the image https://old.example/gone: answered 404; left out, with a link to it where the text shows it';
const BAD =
  'the image https://old.example/bad: This is not an image; left out, with a link to it where the text shows it';

describe('ImageTaker', () => {
  it('stores what it can have, and lets the rest stay where it is', async () => {
    const { take, stored } = startTaking();
    expect(await take(file('a'), web('b'), web('gone'), web('bad'), data)).toEqual({
      addresses: {
        '/media/pending-0': '/media/a',
        '/media/pending-1': '/media/b',
        '/media/pending-2': 'https://old.example/gone',
        '/media/pending-3': 'https://old.example/bad',
        '/media/pending-4': '/media/in-text',
      },
      unfetched: ['/media/pending-2', '/media/pending-3'],
      warnings: [GONE, BAD],
    });
    expect(stored).toEqual(['a', 'in-text', 'b']);
  });

  it('says the same in a dry run, and stores nothing', async () => {
    const { take, stored } = startTaking({ isDryRun: true });
    expect(await take(file('a'), file('known'), web('b'), web('known'), web('gone'), web('bad'), data)).toEqual({
      addresses: {
        '/media/pending-1': '/media/known',
        '/media/pending-3': '/media/known',
        '/media/pending-4': 'https://old.example/gone',
        '/media/pending-5': 'https://old.example/bad',
      },
      unfetched: ['/media/pending-4', '/media/pending-5'],
      warnings: [GONE, BAD],
    });
    expect(stored).toEqual([]);
  });

  it('asks nobody when nothing is to be fetched', async () => {
    const { take, fetched } = startTaking({ isFetching: false });
    const { addresses, warnings } = await take(web('b'));
    expect(addresses).toEqual({ '/media/pending-0': 'https://old.example/b' });
    expect(warnings).toEqual([expect.stringContaining('https://old.example/b: was not fetched; left out')]);
    expect(fetched).toEqual([]);
  });

  it('fetches every address once, however many posts show it at the same time', async () => {
    const { take, fetched, stored } = startTaking();
    const [first, second] = await Promise.all([take(web('b'), web('gone')), take(web('b'), web('gone'))]);
    expect(first).toEqual(second);
    expect(fetched).toHaveLength(2);
    expect(stored).toEqual(['b']);
  });

  it.each([false, true])('leaves out a file that is not accepted, and names it (dry run: %s)', async (isDryRun) => {
    const { take, stored } = startTaking({ isDryRun });
    const { addresses, warnings } = await take(file('a'), file('bad'), web('b'));
    expect(addresses['/media/pending-1']).toBeNull();
    expect(warnings).toEqual(['the image a file: This is not an image; left out']);
    expect(stored).toEqual(isDryRun ? [] : ['a', 'b']);
  });

  it.each([false, true])('draws what is a drawing, and says so (dry run: %s)', async (isDryRun) => {
    const { take, stored } = startTaking({ isDryRun });
    const { warnings } = await take(file('a.svg'), web('b.svg'));
    expect(warnings).toEqual([
      'the image a file: is a drawing (SVG) and became a picture',
      'the image https://old.example/b.svg: is a drawing (SVG) and became a picture',
    ]);
    expect(stored).toEqual(isDryRun ? [] : ['drawn', 'drawn']);
  });

  it.each([false, true])('says of an animation that it stands still (dry run: %s)', async (isDryRun) => {
    const { take, stored } = startTaking({ isDryRun });
    const bytes = toAnimatedPng(Buffer.from('89504e470d0a1a0a0000000d49484452'.padEnd(66, '0'), 'hex'));
    const { warnings } = await take({ url: `data:image/png;base64,${bytes.toString('base64')}` });
    expect(warnings).toEqual([
      expect.stringMatching(/^the image data:.*: is an animated PNG and became its first frame, which stands still$/),
    ]);
    expect(stored).toHaveLength(isDryRun ? 0 : 1);
  });

  it('does not take a storage that fails for a site that does', async () => {
    await expect(startTaking({ isBroken: true }).take(web('b'))).rejects.toThrow('The disk is full');
  });
});
