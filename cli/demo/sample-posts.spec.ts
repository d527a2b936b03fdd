import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { copySamplePosts } from './sample-posts.js';

describe('copySamplePosts', () => {
  const folder = temporaryFolder();

  it.each([
    ['2031-05-19T00:30:00Z', '2031-05-12', '2031-02-24'],
    ['2031-05-22T12:00:00Z', '2031-05-19', '2031-03-03'],
  ])('dates the newest post at %s at %s, which is over everywhere, and keeps distances and texts', async (...days) => {
    const [now, newest, oldest] = days;
    await copySamplePosts(folder, new Date(now));
    const texts = readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => readFileSync(join(folder, name), 'utf8'));
    const found = texts.map((text) => /^date: (\S+)$/m.exec(text)?.[1] ?? '').sort();
    expect(found).toHaveLength(7);
    expect(found.at(-1)).toBe(newest);
    expect(found[0]).toBe(oldest);
    for (const text of texts) {
      // American typography, and no promise of a service in the name of whoever runs the site.
      const [, body = ''] = text.split(/^---$/m).slice(1);
      const words = body.replace(/```[^]*?```|`[^`]*`/g, '');
      expect(words).not.toMatch(/["']|\b(?:we|our|us)\b/i);
    }
  });
});
