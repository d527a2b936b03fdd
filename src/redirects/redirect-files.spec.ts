import { describe, expect, it } from '@jest/globals';
import { readRedirects, writeRedirects } from './redirect-files.js';

const OLD_NEW = { place: 'line 1', redirect: { path: '/old', target: '/new' }, problem: null };

describe('readRedirects', () => {
  it.each([
    ['a.csv', '/old,/new'],
    ['a.csv', '\uFEFF/old;/new\r\n'],
    ['a.txt', '"/old"\t"/new"'],
    ['_redirects', '/old /new'],
    ['a.txt', '  /old   /new  301!  # why'],
    ['a', '/old /new 308'],
  ])('tells what %s is', (name, text) => {
    expect(readRedirects(text, name)).toEqual([OLD_NEW]);
  });

  it('finds the columns of a CSV file by their names, and keeps the lines', () => {
    const text = 'Status,To,From\n301,/new,/old\n\n301,"/a,b",/c\n301,,/d\n';
    expect(readRedirects(text, 'x.csv')).toEqual([
      { ...OLD_NEW, place: 'line 2' },
      { place: 'line 4', redirect: { path: '/c', target: '/a,b' }, problem: null },
      { place: 'line 5', redirect: null, problem: 'there must be a path and a target', text: '/d ' },
    ]);
  });

  it.each([
    ['[{"path":"/old","target":"/new"}]'],
    ['[{"from":"/old","to":"/new","permanent":true}]'],
    ['[{"source":"/old","destination":"/new"}]'],
    ['{"/old":"/new"}'],
  ])('reads JSON: %s', (text) => {
    expect(readRedirects(text, 'x')).toEqual([{ ...OLD_NEW, place: 'item 1' }]);
  });

  it('says of each line of a static host why it is none', () => {
    const text =
      '# comment\n\n/blog/* /:splat\n/u/:id /x\n/a /b 302\n/a /b 200\n/a /b 301 Country=de\n/a id=:id /b\n/a\n';
    const problems = readRedirects(text, '_redirects').map(({ place, problem }) => `${place}: ${problem}`);
    expect(problems).toEqual([
      'line 3: patterns are not supported: name each address',
      'line 4: patterns are not supported: name each address',
      'line 5: 302 is no lasting redirect: those are 301 and 308',
      'line 6: 200 is no lasting redirect: those are 301 and 308',
      'line 7: conditions are not supported',
      'line 8: conditions are not supported',
      'line 9: there must be a path and a target',
    ]);
  });

  it('refuses files that are nothing of the kind', () => {
    expect(() => readRedirects('[{', 'x')).toThrow('The file is not JSON');
    expect(() => readRedirects('1', 'x.json')).toThrow('holds no list');
    expect(() => readRedirects('/a,"b', 'x.csv')).toThrow('The file is not CSV');
    expect(readRedirects('[1, {"path": 2}]', 'x')).toMatchObject([{ redirect: null }, { redirect: null }]);
    expect(readRedirects('', 'x.csv')).toEqual([]);
  });
});

describe('writeRedirects', () => {
  it.each(['csv', 'json', 'hosts'] as const)('writes %s that reads as the same', (format) => {
    const redirects = [
      { path: '/a,b;c"d', target: '/x?y#z' },
      { path: '/u/:id', target: 'https://other.example.com/a,b' },
      { path: '/star*', target: '/' },
    ];
    const read = readRedirects(writeRedirects(redirects, format), 'x', format).map(({ redirect }) => redirect);
    const decode = (path: string | undefined) => decodeURIComponent(path ?? '');
    expect(read.map((pair) => [decode(pair?.path), pair?.target])).toEqual(
      redirects.map(({ path, target }) => [path, target]),
    );
  });
});
