import { describe, expect, it } from '@jest/globals';
import { ImportRun } from './import-run.js';
import type { ImportParts } from './import-work.js';
import { ImportSourceError } from './import.errors.js';
import type { PostSource } from './source-post.js';

/** A source of a menu, and then of an error. */
function sourceOf(menus: number, error?: Error): PostSource {
  return {
    format: 'wordpress',
    async *read() {
      for (let number = 1; number <= menus; number += 1) yield { file: `item ${number}`, skipped: 'is a menu' };
      if (error !== undefined) throw error;
    },
  } as unknown as PostSource;
}

async function importAll(source: PostSource): Promise<string[]> {
  const parts = {
    options: {},
    handleProgress: () => undefined,
    posts: { findForImportIncludingDrafts: async () => [], savePosts: async () => undefined },
    redirects: { predict: async () => [], spell: (path: string) => path },
  } as unknown as ImportParts;
  const items: string[] = [];
  for await (const { file, outcome, reasons } of new ImportRun(parts).import(source, 'blog.xml')) {
    items.push(`${file} ${outcome}: ${reasons.join()}`);
  }
  return items;
}

describe('ImportRun', () => {
  it('reports a source that breaks off behind what it gave until then', async () => {
    const error = new ImportSourceError('ends in the middle');
    expect(await importAll(sourceOf(1, error))).toEqual([
      'item 1 skipped: is a menu',
      'blog.xml refused: ends in the middle',
    ]);
    expect(await importAll(sourceOf(2))).toEqual(['item 1 skipped: is a menu', 'item 2 skipped: is a menu']);
  });

  it('throws what is wrong with a source of which nothing can be read, and every other error', async () => {
    await expect(importAll(sourceOf(0, new ImportSourceError('is no export')))).rejects.toThrow('is no export');
    await expect(importAll(sourceOf(1, new Error('A mistake')))).rejects.toThrow('A mistake');
  });
});
