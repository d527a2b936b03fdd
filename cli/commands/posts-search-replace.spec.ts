import { expect, it, jest } from '@jest/globals';
import type { CliContext } from '../context.js';
import { EXIT_CODES } from '../exit-codes.js';
import { run } from '../program.js';

const replaced = {
  slug: 'first',
  isPublished: true,
  places: [{ part: 'text', isUnsaved: false, before: 'a ', found: 'b', replacement: 'c', after: ' d' }],
  refusal: null,
  notes: [],
};

/** Has posts of which the first is replaced, and then a database that goes away. */
const services: CliContext = {
  get: <T>() =>
    ({
      site: { timeZone: 'UTC' },
      async *replace() {
        yield replaced;
        throw new Error('the database went away');
      },
    }) as T,
};

async function searchReplace(...flags: string[]) {
  const output = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    jest.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += String(text).replace(/\x1b\[\d+m/g, '');
      return true;
    }),
  );
  await run(['node', 'cli', 'posts', 'search-replace', 'b', 'c', '--yes', ...flags], (task) => task(services));
  for (const spy of spies) spy.mockRestore();
  const code = process.exitCode;
  process.exitCode = undefined;
  return { ...output, code };
}

it('says what it has replaced until it broke off, and why, as text and as JSON', async () => {
  const text = await searchReplace();
  expect(text).toMatchObject({ code: EXIT_CODES.nothingDone, stderr: 'Error: the database went away\n' });
  expect(text.stdout).toMatch(/\n1 place in 1 post replaced, then it broke off\n$/);
  const { stdout } = await searchReplace('--json');
  expect(JSON.parse(stdout)).toEqual({
    isDryRun: false,
    posts: [replaced],
    counts: { posts: 1, places: 1, refused: 0 },
    error: 'the database went away',
  });
});
