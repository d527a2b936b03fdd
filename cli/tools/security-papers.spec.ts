import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const docs = join(import.meta.dirname, '../../docs');
const paper = readFileSync(join(docs, 'security.md'), 'utf8');

/** The rows of the verification standard. */
const rows = [...paper.matchAll(/^\| (\d+\.\d+\.\d+) +\|(.+)\|(.+)\|(.+)\|$/gm)].map(([, number, , how, test]) => ({
  number: number!,
  how: how!.trim(),
  test: test!.trim(),
  links: [...test!.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path!),
}));

describe('the table of docs/security.md', () => {
  it('names each requirement once, with tests that exist or a reason', () => {
    expect(rows.length).toBeGreaterThan(100);
    expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length);
    for (const { number, how, test, links } of rows) {
      expect([number, how]).not.toEqual([number, '']);
      if (links.length === 0) expect([number, test]).toEqual([number, expect.stringMatching(/^(?:no test|not held)$/)]);
      for (const path of links) {
        expect([number, path]).toEqual([number, expect.stringMatching(/\.(?:test|slow|spec|suite|long)\.tsx?$/)]);
        expect([number, path, existsSync(join(docs, path))]).toEqual([number, path, true]);
      }
    }
  });

  it('is counted right', () => {
    const tested = rows.filter(({ links }) => links.length > 0);
    const whenSet = tested.filter(({ test }) => test.endsWith('when set'));
    const held = rows.filter(({ test }) => test === 'no test');
    const share = Math.floor((100 * tested.length) / rows.length);
    expect(paper.replaceAll(/\s+/g, ' ')).toContain(
      `Of ${rows.length} requirements, ${tested.length} have a test (${share} %), ${whenSet.length} of them when a ` +
        `variable is set; ${held.length} are held by their reason alone, or left to the operator; ` +
        `${rows.length - tested.length - held.length} are not held.`,
    );
  });
});
