import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../src/config/project-root.js';

/** The sample posts lie beside the sources; the compiler copies no texts. */
const SAMPLE_POSTS = join(PROJECT_ROOT, 'cli/demo/posts');

const DATE = /^date: (\d{4}-\d{2}-\d{2})$/m;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

/**
 * Copies the sample posts into a folder and moves their dates by whole weeks, so that the newest is of the days before
 * `now`, in whatever zone: a blog whose newest post is a year old looks abandoned.
 */
export async function copySamplePosts(folder: string, now: Date): Promise<void> {
  await cp(SAMPLE_POSTS, folder, { recursive: true });
  const files = (await readdir(folder)).filter((name) => name.endsWith('.md')).map((name) => join(folder, name));
  const posts = await Promise.all(files.map(async (file) => ({ file, text: await readFile(file, 'utf8') })));
  const newest = Math.max(...posts.map(({ text }) => Date.parse(DATE.exec(text)?.[1] ?? '')));
  const weeks = Math.floor((now.getTime() - 2 * DAY_MS - newest) / WEEK_MS);
  const move = (day: string) => new Date(Date.parse(day) + weeks * WEEK_MS).toISOString().slice(0, 10);
  for (const { file, text } of posts) {
    await writeFile(
      file,
      text.replace(DATE, (_line, day: string) => `date: ${move(day)}`),
    );
  }
}
