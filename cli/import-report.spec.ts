import { expect, it } from '@jest/globals';
import { noCounts, textReport } from './import-report.js';

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
