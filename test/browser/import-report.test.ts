import { expect, it } from '@jest/globals';
import { htmlReport } from '../../cli/import-report-html.js';
import { noCounts } from '../../cli/import-report.js';
import { openPage } from '../support/browser.js';

it('the report of an import fits a phone, follows the scheme of its reader, and shows names as they are', async () => {
  let html = '';
  const report = htmlReport((text) => void (html += text), false, 'https://site.example');
  const names = ['l'.repeat(300), 'مرحبا', '</script><script>document.title = "ran"</script>', 'a\u202Eb', '😀'];
  for (const [index, file] of names.entries()) {
    const reasons = [`the text ${file}${index} is too long`];
    report.add({
      file,
      slug: `s-${index}`,
      outcome: 'created',
      state: 'published',
      reasons,
      warnings: [],
      redirects: [],
    });
  }
  report.end(noCounts());
  const page = await openPage({ width: 360, height: 640, colorScheme: 'dark' });
  await page.setContent(html);
  const found = await page.evaluate(() => ({
    title: document.title,
    width: document.documentElement.scrollWidth,
    scheme: getComputedStyle(document.documentElement).colorScheme,
    names: [...document.querySelectorAll('h3')].map((name) => name.textContent),
  }));
  expect(found).toEqual({
    title: 'Import',
    width: 360,
    scheme: 'light dark',
    names: [...names.slice(0, 3), 'ab', '😀'].map((name, index) => `${name}: /blogs/s-${index} (created, published)`),
  });
});
