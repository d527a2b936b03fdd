import { expect, it, jest } from '@jest/globals';
import type { PostOutcome } from '../../src/import/post-images.service.js';
import type { RepairedImage } from '../../src/uploads/media-repair.service.js';
import type { CliContext } from '../context.js';
import { EXIT_CODES } from '../exit-codes.js';
import { run } from '../program.js';

const image = { id: 'a', name: 'a.png', missing: ['a.png', 'a.webp'], damaged: [], uses: 1 };
const repaired: RepairedImage[] = [
  { image, mended: [{ name: 'a.png', source: 'import' }], lost: [] },
  { image, mended: [], lost: ['a.webp'] },
];
const fetched: PostOutcome = {
  id: 'b',
  slug: 'first',
  stored: ['https://there.example/a.png'],
  lost: [{ address: 'https://there.example/b.png', reason: 'answered 404' }],
};

/** Has two images and a post that are done, and then a storage that goes away; or one that is away from the start. */
const servicesOf = (isAway: boolean): CliContext => ({
  get: <T>() =>
    ({
      open: () => ({}),
      repair: ({ handleImage }: { handleImage: (outcome: RepairedImage) => void }) => {
        if (!isAway) for (const outcome of repaired) handleImage(outcome);
        throw new Error('the storage went away');
      },
      fetchAll: (_actor: unknown, { handlePost }: { handlePost: (outcome: PostOutcome) => void }) => {
        if (!isAway) handlePost(fetched);
        throw new Error('the storage went away');
      },
    }) as T,
});

async function media(args: readonly string[], { isAway = false } = {}) {
  const output = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    jest.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += String(text).replace(/\x1b\[\d+m/g, '');
      return true;
    }),
  );
  await run(['node', 'cli', 'media', ...args, '--json'], (task) => task(servicesOf(isAway)));
  for (const spy of spies) spy.mockRestore();
  const code = process.exitCode;
  process.exitCode = undefined;
  return { ...output, code };
}

it.each([
  [
    'repair',
    {
      isDryRun: false,
      lacking: repaired.map(({ mended, lost }) => ({ ...image, mended, lost })),
      repaired: 1,
    },
  ],
  ['fetch-remote', { isDryRun: false, posts: [fetched], stored: 1, lost: 1 }],
])('%s says to programs what it did until it broke off, and why', async (command, done) => {
  const { stdout, stderr, code } = await media([command]);
  expect([code, stderr]).toEqual([EXIT_CODES.nothingDone, 'Error: the storage went away\n']);
  expect(JSON.parse(stdout)).toEqual({ ...done, error: 'the storage went away' });
  expect(await media([command], { isAway: true })).toEqual({ stdout: '', stderr, code });
});
