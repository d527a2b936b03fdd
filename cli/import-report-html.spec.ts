import { expect, it } from '@jest/globals';
import { htmlReport } from './import-report-html.js';
import { jsonReport, noCounts } from './import-report.js';
import type { ImportItem } from '../src/shared/contracts/import-report.js';

const item = (file: string, more: Partial<ImportItem> = {}): ImportItem => ({
  file,
  slug: 'a&b',
  outcome: 'created',
  state: 'published',
  reasons: [],
  warnings: [],
  redirects: [],
  ...more,
});
const items = [
  item('<a>.md', { warnings: ['the image a.png: was not found; left out', 'no date in it'], redirects: ['/old/'] }),
  item('b.md', { warnings: ['the image b c.png: was not found; left out'], state: 'draft' }),
  item('c.md', { outcome: 'refused', slug: 'c', reasons: ["the slug 'c' is that of a.md already"] }),
  item('d.md', { outcome: 'skipped', slug: null, reasons: ['a page, not a post'] }),
];

it('is a page with totals, what needs a decision, each loss once, and every item', () => {
  let html = '';
  const report = htmlReport((text) => void (html += text), true, 'https://site.example');
  for (const one of items) report.add(one);
  report.end({ ...noCounts(), created: 2, refused: 1, skipped: 1 });
  const order = [
    'A dry run: nothing was written.',
    '<tr><td>2</td><td>created</td></tr>',
    '<tr><td>1</td><td>old addresses that lead on</td></tr>',
    '<h2>What needs a decision (1)</h2>\n<h3><bdi>c.md</bdi>: (refused, published)</h3>',
    '<li>the slug &#39;c&#39;'.replaceAll('&#39;', "'"),
    '<tr><td>2</td><td>the image …: was not found; left out<br>\n<small>What to do: put its file into a folder that --assets names, ',
    '<tr><td>1</td><td>no date in it</td></tr>',
    '<h2>All others (3)</h2>',
    '<h3><bdi>&lt;a&gt;.md</bdi>: <a href="https://site.example/blogs/a%26b">/blogs/a%26b</a> (created, published)</h3>',
    '<li>/old/ leads here</li>',
    '<h3><bdi>b.md</bdi>: /blogs/a%26b (created, draft)</h3>',
    '<li>a page, not a post</li>',
    '</html>',
  ];
  const places = order.map((part) => html.indexOf(part));
  expect(places.every((place) => place >= 0)).toBe(true);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

it('counts each kind of note in JSON too', () => {
  let json = '';
  const report = jsonReport((text) => void (json += text), false);
  for (const one of items) report.add(one);
  report.end(noCounts());
  expect((JSON.parse(json) as { notes: unknown }).notes).toEqual([
    { note: 'the image …: was not found; left out', count: 2 },
    { note: 'no date in it', count: 1 },
    { note: 'the slug … is that of … already', count: 1 },
  ]);
});

it('counts what differs in addresses and texts alone as one kind', () => {
  let json = '';
  const report = jsonReport((text) => void (json += text), false);
  const kinds = [
    [
      'leads to files of the old site, which stay there: /a.pdf',
      'leads to files of the old site, which stay there: /b.pdf /c.pdf',
    ],
    [
      'the title for search engines that X has was not taken: A',
      'the title for search engines that X has was not taken: B b',
    ],
    [
      'what other sites showed in frames are links here: a.example',
      'what other sites showed in frames are links here: b.example, c.example and 3 more',
    ],
    [
      'words in attributes of components were left out: Card description "One"',
      'words in attributes of components were left out: Key label "Two" and 3 more',
    ],
    [
      "the slug 'a' is that of a.md already (--slug-prefix)",
      "the slug 'b' is that of it's b.md already (--slug-prefix)",
    ],
    ['the old address /a/ leads to a.md already', 'the old address /b/ leads to b c.md already'],
    ['styles were taken off: height', 'styles were taken off: float, margin and 2 more'],
    ["what previews of links say was not taken: 'A'", "what previews of links say was not taken: 'B', 'C'"],
  ];
  for (const [first = '', second = ''] of kinds) {
    report.add(item('a.md', { warnings: [first] }));
    report.add(item('b.md', { warnings: [second] }));
  }
  report.end(noCounts());
  const { notes } = JSON.parse(json) as { notes: { count: number }[] };
  expect(notes.map(({ count }) => count)).toEqual(kinds.map(() => 2));
});
