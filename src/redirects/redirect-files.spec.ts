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
    ['a.json', ' {"/old":"/new"}'],
    ['old/_redirects', '/old /new 301!'],
    ['a.csv', '/old,/new,301'],
  ])('tells what %s is', (name, text) => {
    expect(readRedirects(text, name)).toEqual([{ ...OLD_NEW, place: expect.stringMatching(/^(?:line|item) 1$/) }]);
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

  it('reads a list of lines by its first entry, or as it is told to', () => {
    expect(readRedirects('\n# from here\n/old,x /new\n', 'a.txt')).toEqual([
      { place: 'line 2', redirect: null, problem: 'there must be a path and a target', text: '# from here' },
      { place: 'line 3', redirect: { path: '/old', target: 'x /new' }, problem: null },
    ]);
    expect(readRedirects('/a,b /new\n', 'a.csv', 'hosts')).toEqual([
      { place: 'line 1', redirect: { path: '/a,b', target: '/new' }, problem: null },
    ]);
    expect(readRedirects('/a#b /new#c\n', '_redirects')).toEqual([
      { place: 'line 1', redirect: { path: '/a#b', target: '/new#c' }, problem: null },
    ]);
  });

  it.each([
    ['path', 'target'],
    ['from', 'to'],
    ['source', 'destination'],
    ['old', 'new'],
    ['old_url', 'new_url'],
    ['source url', 'target url'],
  ])('knows %s and %s by name, in any order', (path, target) => {
    const redirect = { path: '/old', target: '/new' };
    const rows = readRedirects(`x, ${target.toUpperCase()} ,${path}\n1,/new,/old\n`, 'x.csv');
    const items = readRedirects(JSON.stringify([{ [target]: '/new', [path]: '/old' }]), 'x.json');
    expect([...rows, ...items].map((entry) => entry.redirect)).toEqual([redirect, redirect]);
  });

  it('says of each line of a static host why it is none', () => {
    const text = '# comment\n\n/über uns /y\n/a /b 302\n/a /b 200\n/a /b 301 Country=de\n/a id=:id /b\n/a\n';
    const problems = readRedirects(text, '_redirects').map(({ place, problem }) => `${place}: ${problem}`);
    expect(problems).toEqual([
      'line 3: uns is no target: spaces in addresses are written as %20, and conditions are not supported',
      'line 4: 302 is no lasting redirect: those are 301 and 308',
      'line 5: 200 is no lasting redirect: those are 301 and 308',
      'line 6: conditions are not supported',
      'line 7: id=:id is no target: spaces in addresses are written as %20, and conditions are not supported',
      'line 8: there must be a path and a target',
    ]);
  });

  it('refuses files that are nothing of the kind', () => {
    expect(() => readRedirects('[{', 'x')).toThrow('The file is not JSON: Expected');
    expect(() => readRedirects('1', 'x.json')).toThrow('holds no list');
    expect(() => readRedirects('null', 'x.json')).toThrow('holds no list');
    expect(() => readRedirects('/a,"b', 'x.csv')).toThrow('The file is not CSV: Quote Not Closed');
    const problem = { place: 'item 1', redirect: null, problem: 'there must be a path and a target' };
    for (const [item, text] of [
      ['1', ''],
      ['null', ''],
      ['{"path":2,"target":"/x"}', '/x'],
      ['{"path":"/x","target":" "}', '/x  '],
      ['{"path":" ","target":"/x"}', '  /x'],
    ] as const) {
      expect(readRedirects(`[${item}]`, 'x')).toEqual([{ ...problem, text }]);
    }
    expect(readRedirects('', 'x.csv')).toEqual([]);
    expect(readRedirects(' \n# nothing\n', 'x')).toEqual([]);
  });
});

describe('writeRedirects', () => {
  it('writes files as they are usual', () => {
    const redirects = [
      { path: '/a', target: '/b', origin: 'import' },
      { path: '/c"d', target: '/e,f', origin: 'import' },
    ] as const;
    expect(writeRedirects(redirects, 'csv')).toBe('path,target\n/a,/b\n"/c""d","/e,f"\n');
    expect(writeRedirects(redirects, 'hosts')).toBe('/a /b 301\n/c"d /e,f 301\n');
    expect(writeRedirects(redirects.slice(0, 1), 'json')).toBe(
      '[\n  {\n    "path": "/a",\n    "target": "/b"\n  }\n]\n',
    );
  });

  it('leaves patterns of operators what they are for static hosts, and escapes addresses that only look like some', () => {
    const redirect = { path: '/u/:id', target: '/people/:id' };
    expect(writeRedirects([{ ...redirect, origin: 'operator' }], 'hosts')).toBe('/u/:id /people/:id 301\n');
    expect(writeRedirects([{ ...redirect, origin: 'import' }], 'hosts')).toBe('/u/%3Aid /people/:id 301\n');
  });

  it.each(['csv', 'json', 'hosts'] as const)('writes %s that reads as the same', (format) => {
    const redirects = [
      { path: '/a,b;c"d', target: '/x?y#z', origin: 'operator' },
      { path: '/u/:id', target: 'https://other.example.com/a,b', origin: 'import' },
      { path: '/star*', target: '/', origin: 'operator' },
      { path: '/blog/*', target: '/blogs/:splat', origin: 'operator' },
    ] as const;
    const read = readRedirects(writeRedirects(redirects, format), 'x', format).map(({ redirect }) => redirect);
    const decode = (path: string | undefined) => decodeURIComponent(path ?? '');
    expect(read.map((pair) => [decode(pair?.path), pair?.target])).toEqual(
      redirects.map(({ path, target }) => [path, target]),
    );
  });
});
