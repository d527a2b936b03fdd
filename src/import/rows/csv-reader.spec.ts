import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PROPERTY_SEED } from '../../../test/support/property-seed.js';
import { readSource, settings, summarize, withFile } from '../../../test/support/post-source.js';
import { fewOf } from '../../../test/support/slow-tests.js';
import { openCsv } from './csv-reader.js';
import type { SourcePost } from '../source-post.js';

const read = (content: string | Uint8Array) =>
  withFile('posts.csv', content, (path) => readSource(openCsv(path, settings)));
const id = '3f0c2a9e-0000-4000-8000-00000000000a';
const bom = String.fromCharCode(0xfeff);

const table = [
  'id,slug,title,excerpt,content,image_url,category,tags,author,published_date,is_published,created_at',
  `${id},first-post,First post,In short,"<p>One, ""two""\nand three</p>",https://a.example/x.png,News,"{a,""b c"",NULL}",Ann,2025-08-01 10:00:00+00,t,2025-07-01 09:00:00.25+00`,
  '7,Second Post,Zweiter — 第二,\\N,"<p>Text</p>",NULL,,"[""x""]",,,f,',
  '',
].join('\r\n');

describe('openCsv', () => {
  it('reads rows of the hosted table', async () => {
    const { items, error } = await read(bom + table);
    expect(error).toBeNull();
    expect(items).toEqual([
      {
        file: 'posts.csv: line 2 (First post)',
        isUniqueKey: true,
        itemKey: `hosted:${id}`,
        id,
        title: 'First post',
        slug: 'first-post',
        excerpt: 'In short',
        author: 'Ann',
        category: 'News',
        tags: ['a', 'b c'],
        image: { address: 'https://a.example/x.png', alt: null },
        date: new Date('2025-08-01T10:00:00Z'),
        createdAt: new Date('2025-07-01T09:00:00.250Z'),
        isPublished: true,
        html: '<p>One, "two"\nand three</p>',
        folder: '',
        baseUrl: null,
        oldPaths: [],
        warnings: [],
      },
      {
        file: 'posts.csv: line 4 (Zweiter — 第二)',
        itemKey: '7',
        formerKeys: ['hosted:7'],
        title: 'Zweiter — 第二',
        slug: 'second-post',
        excerpt: null,
        author: 'The Team',
        category: null,
        tags: ['x'],
        image: null,
        date: undefined,
        isPublished: false,
        html: '<p>Text</p>',
        folder: '',
        baseUrl: null,
        oldPaths: ['/blogs/Second%20Post'],
        warnings: [],
      },
    ]);
  });

  it('reads other separators, encodings and orders alike', async () => {
    const { items } = await read(table);
    const retabbed = table.replaceAll(',', '\t').replace('One\t', 'One,').replace('{a\t""b c""\t', '{a,""b c"",');
    for (const content of [
      retabbed,
      retabbed.replaceAll('\t', ';').replaceAll('\r\n', '\n'),
      Buffer.from(bom + table, 'utf16le'),
      Buffer.from(bom + table, 'utf16le').swap16(),
    ]) {
      const other = await read(content);
      expect(other.error).toBeNull();
      expect(other.items).toEqual(items);
    }
    const reordered = await read('Content,Extra, Title ,"odd one"\n"Plain & simple\n\nText",x,A,\n<p>B</p>,x,B,y');
    expect(reordered.items).toEqual([
      expect.objectContaining({
        title: 'A',
        slug: 'a',
        itemKey: 'a',
        formerKeys: ['hosted:a'],
        html: '<p>Plain &amp; simple</p>\n<p>Text</p>',
        warnings: ['its content has no markup and was taken for plain text'],
        fileNotes: ['the file has columns that are not taken: extra, odd_one'],
      }),
      expect.objectContaining({
        title: 'B',
        warnings: ['it is the end of the file, without a line break: see that it is complete'],
      }),
    ]);
  });

  it('refuses rows by their line and takes the others', async () => {
    const rows: [string, string][] = [
      ['1,A', 'it has 2 columns, the first line has 5'],
      ['1,A,B,C,D,E', 'it has 6 columns'],
      ['"1"x,A,"B,C",D', 'text follows a closing quotation mark'],
      ['1,A,Text,1/2/2025,perhaps', "published_date: the date '1/2/2025' could mean two days"],
      ['1,A\xff,Text,,', 'title holds bytes that are not UTF-8'],
      ['1,A\0,Text,,', 'title holds zero characters'],
      [`1,A,${'x'.repeat(11 * 1024 * 1024)},,`, 'larger than 10 MB'],
      ['1,' + ','.repeat(2000), 'more than 1,000 columns'],
      ['__proto__,constructor,"say "" it",,', 'constructor) | hosted:__proto__'],
    ];
    const text = [
      'id,title,content,published_date,is_published',
      ...rows.map(([row]) => `${row}\n0,ok 3" disk,Text,,`),
      '',
    ];
    const { items, error } = await read(Buffer.from(text.join('\n'), 'latin1'));
    expect(error).toBeNull();
    const others = items.map(summarize).filter((line) => !line.includes('ok 3'));
    expect(others).toEqual(rows.map(([, reason]) => expect.stringContaining(reason)));
    expect(items).toHaveLength(rows.length * 2);
    const both = items.find((item) => 'refusal' in item && item.refusal.message.includes('two days'));
    expect(both).toMatchObject({
      refusal: { reasons: [expect.any(String), "is_published is neither true nor false: 'perhaps'"] },
    });
  });

  it.each([
    ['no columns of posts', 'name,mail\na,b\n', "has no column 'title', 'content'"],
    ['a column twice', 'title,content,Title\n', "has two columns 'title'"],
    ['blank lines', '\n\n', 'does not name columns'],
    ['an open quotation mark', 'title,content\nA,"text\nmore', 'breaks off in the row that begins in line 2'],
  ])('says what is wrong with a file with %s', async (_name, content, reason) => {
    expect((await read(content)).error).toContain(reason);
  });

  /** Places where the file breaks off. */
  const [BREAKS = 100] = fewOf([100, 25], (count) => count === 25);

  it('gives every complete row of a file that breaks off, wherever it does', async () => {
    const { items } = await read(table);
    const bytes = Buffer.from(table);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: bytes.length }), async (cut) => {
        const result = await read(bytes.subarray(0, cut));
        // A table has no mark at its end: what the last line should have been cannot be known, so it is marked.
        const isSure = (item: object) =>
          'html' in item && !(item as SourcePost).warnings.some((text) => /complete$/.test(text));
        const sure = result.items.filter(isSure);
        expect(sure).toEqual(items.slice(0, sure.length));
        expect(result.items.length - sure.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: BREAKS, seed: PROPERTY_SEED },
    );
  });
});
