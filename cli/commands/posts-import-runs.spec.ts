import { expect, it, jest } from '@jest/globals';
import type { CliContext } from '../context.js';
import { EXIT_CODES } from '../exit-codes.js';
import { run } from '../program.js';

const undone = { outcome: 'trashed', slug: 'first', title: 'First', reason: null, notes: [] };
const other = { ...undone, slug: 'second', title: 'Second' };

/** Has an import of two posts, of which the first is undone, and then a database that goes away. */
const services: CliContext = {
  get: <T>() =>
    ({
      find: async () => ({ id: 7, path: 'blog', sourceName: null }),
      async *undo(_actor: unknown, _id: number, { isDryRun }: { readonly isDryRun?: boolean } = {}) {
        yield undone;
        if (!isDryRun) throw new Error('the database went away');
        yield other;
      },
    }) as T,
};

async function undo(...flags: string[]) {
  const output = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    jest.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += String(text).replace(/\x1b\[\d+m/g, '');
      return true;
    }),
  );
  await run(['node', 'cli', 'posts', 'import', 'undo', '7', '--yes', ...flags], (task) => task(services));
  for (const spy of spies) spy.mockRestore();
  const code = process.exitCode;
  process.exitCode = undefined;
  return { ...output, code };
}

it('says what it has undone until it broke off, and why, as text and as JSON', async () => {
  const text = await undo();
  expect(text).toMatchObject({ code: EXIT_CODES.nothingDone, stderr: 'Error: the database went away\n' });
  expect(text.stdout).toBe(
    'to the trash  first  First\n1 to the trash, 0 as before, 0 left as they are, then it broke off\n',
  );
  const { stdout } = await undo('--json');
  expect(JSON.parse(stdout)).toEqual({
    run: 7,
    isDryRun: false,
    items: [undone],
    counts: { trashed: 1, restored: 0, left: 0 },
    error: 'the database went away',
  });
});
