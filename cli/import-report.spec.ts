import { expect, it } from '@jest/globals';
import { jsonReport, noCounts, textReport } from './import-report.js';

it('says which posts nobody sees yet', () => {
  const written: string[] = [];
  const report = textReport((text) => void written.push(text), false);
  const rest = { outcome: 'created', reasons: [], warnings: [], redirects: [] } as const;
  report.add({ file: 'a.md', slug: 'a', state: 'published', ...rest });
  report.add({ file: 'b.md', slug: 'b', state: 'draft', ...rest });
  report.add({ file: 'c.md', slug: 'c', state: 'scheduled', publishAt: '2999-01-01T00:00:00.000Z', ...rest });
  report.end({ ...noCounts(), created: 3 });
  expect(written.join('')).toBe(
    'created    a.md -> a (published)\ncreated    b.md -> b (draft)\n' +
      'created    c.md -> c (scheduled for 2999-01-01T00:00:00.000Z)\n\n' +
      '3 created (1 of them as a draft, 1 scheduled), 0 updated, 0 unchanged, 0 refused\n',
  );
});

it('names kinds of things that have no place here once, with their number', () => {
  const written: string[] = [];
  const rest = { slug: null, outcome: 'skipped', warnings: [], redirects: [] } as const;
  const items = ['product', 'product', 'event'].map((type) => ({
    file: `x.xml: ${type}`,
    reasons: [`of the type '${type}', not a post`],
    ...rest,
  }));
  for (const report of [
    textReport((text) => void written.push(text), false),
    jsonReport((text) => void written.push(text), false),
  ]) {
    for (const item of items) report.add(item);
    report.end({ ...noCounts(), skipped: 3 });
  }
  const text = written.join('');
  expect(text).toContain(
    '\nnot taken, as nothing here is like them: 2 of the type product, 1 of the type event\n0 created',
  );
  expect(text).toContain('{"note":"something of the type product was not taken","count":2}');
});

it('prints nothing of a source that steers the terminal', () => {
  const written: string[] = [];
  const report = textReport((text) => void written.push(text), true);
  const texts = { reasons: ['a\u001b[2Jb'], warnings: ['c\u202ed'], redirects: [] };
  report.add({ file: 'x.xml: \u001b]0;title\u0007T', slug: 'x', outcome: 'skipped', ...texts });
  report.end({ ...noCounts(), skipped: 1 });
  expect(written.join('')).toBe(
    'skipped    x.xml: ]0;titleT -> x\n           reason: a[2Jb\n           note: cd\n\n' +
      '0 created, 0 updated, 0 unchanged, 1 skipped, 0 refused (dry run: nothing was written)\n',
  );
});
