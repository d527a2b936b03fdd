import { expect, it } from '@jest/globals';
import { isPattern, matchPattern, Patterns, problemOfPattern, problemOfSigns, startsOf } from './redirect-patterns.js';

it.each([
  ['/:year/:month/:slug', '/blogs/:slug', '/2019/5/backups', '/blogs/backups'],
  ['/:year/:month/:slug', '/blogs/:slug', '/about/us/backups', null],
  ['/:year/:month/:slug', '/blogs/:slug', '/2019/05/a/b', null],
  ['/:year/:month/:day/:slug.html', '/blogs/:slug', '/2019/05/03/v1.2.html', '/blogs/v1.2'],
  ['/posts/:year-:month-:day-:slug', '/blogs/:slug', '/posts/2019-05-03-two-words', '/blogs/two-words'],
  ['/p/:a-:b', '/x?b=:b#:a', '/p/one-two-three', '/x?b=two-three#one'],
  ['/blog/*', '/blogs/:splat', '/blog/a/b%20c', '/blogs/a/b%20c'],
  ['/blog/*', '/blogs/:splat', '/blog', '/blogs'],
  ['/blog/*', '/blogs/:splat', '/blogger', null],
  ['/shop/*', 'https://shop.example:8080/:splat', '/shop/x', 'https://shop.example:8080/x'],
  ['/shop/*', 'https://shop.example/:splat?from=site', '/shop', 'https://shop.example?from=site'],
  ['/u/:id', '/people', '/u/7', '/people'],
  ['/a.c/:id', '/x/:id', '/abc/7', null],
  ['/:slug', '/blogs/:slug', '/$&', '/blogs/$&'],
])('%s -> %s leads %s to %j', (path, target, address, expected) => {
  expect(isPattern(path)).toBe(true);
  expect(problemOfPattern({ path, target })).toBeNull();
  expect(matchPattern({ path, target }, address)).toBe(expected);
});

it.each(['/a:b', '/a/b:c', '/star*', '/8:30', '/:8/x', '/a/*b', '/*/b'])('%s is an address like any other', (path) => {
  expect(isPattern(path)).toBe(false);
  expect(problemOfPattern({ path, target: '/x' })).toBeNull();
});

it.each([
  ['/:a/:a', '/x', 'two parts of the path are called :a'],
  ['/:a:b', '/x', 'between two names in a part there must be a sign'],
  ['/:slug', '/blogs/:slugg', 'nothing in the path is called :slugg'],
  ['/:slug', '/blogs/:splat', 'nothing in the path is called :splat'],
  ['/post', '/blogs/:splat', 'nothing in the path is called :splat'],
  ['/post-:id', 'https://shop.example:8080/:id', 'a name stands at the beginning of a part of the path: :id does not'],
  ['/:splat/*', '/blogs', 'two parts of the path are called :splat'],
  ['/a/*', '/a/b/:splat', 'it would lead in a circle'],
  ['/:a/:b', '/:b/:a', 'it would lead in a circle'],
  ['/:year/:slug', '/:year/old-:slug', 'it would lead in a circle'],
])('%s -> %s is refused: %s', (path, target, problem) => {
  expect(problemOfPattern({ path, target })).toBe(problem);
});

it('may lead posts of any folder to where they are: what leads to itself is none of it', () => {
  expect(problemOfPattern({ path: '/:category/:slug', target: '/blogs/:slug' })).toBeNull();
});

it('are asked in the order of what they say of an address', () => {
  const paths = ['/*', '/:a', '/blog/*', '/blog/:a', '/blog/old/*', '/:year/:month/:slug'];
  const patterns = new Patterns(paths.map((path) => ({ path, target: path })));
  const targets = {
    '/blog/old/x': '/1',
    '/blog/x': '/2',
    '/blog/x/y': '/3',
    '/2019/5/x': '/4',
    '/x': '/5',
    '/x/y': '/6',
  };
  for (const [index, path] of ['/blog/old/*', '/blog/:a', '/blog/*', '/:year/:month/:slug', '/:a', '/*'].entries())
    patterns.add({ path, target: `/${index + 1}` });
  for (const [address, target] of Object.entries(targets)) expect(patterns.find(address)?.target).toBe(target);
  patterns.remove('/blog/old/*');
  patterns.remove('/:a');
  patterns.remove('/never/*');
  expect([patterns.find('/blog/old/x')?.target, patterns.find('/x')?.target]).toEqual(['/3', '/6']);
});

it('are looked up by how an address begins, whatever follows', () => {
  const patterns = new Patterns([
    { path: '/zone/a/:x/*', target: '/1' },
    { path: '/zone/:name.html', target: '/2' },
    { path: '/zone/a/*', target: '/3' },
    { path: '/:any/a/b/c', target: '/4' },
  ]);
  const targets = { '/zone/a/b/c': '/1', '/zone/a.html': '/2', '/zone/a': '/3', '/area/a/b/c': '/4' };
  for (const [address, target] of Object.entries(targets)) expect(patterns.find(address)?.target).toBe(target);
  expect([patterns.find('/zone'), patterns.find('/zone/ab'), patterns.find('/')]).toEqual([null, null, null]);
});

it.each([
  ['/docs/*/index.html', 'a * stands for the rest'],
  ['/blog*', 'a * stands for the rest'],
  ['^/blog/(.*)$', 'regular expressions are not supported'],
  ['/blog/(\\d+)/x', 'regular expressions are not supported'],
  ['/(.+)', 'regular expressions are not supported'],
])('%s has signs of patterns of other systems: %s', (path, problem) => {
  expect(problemOfSigns(path)).toContain(problem);
});

it.each(['/blog/*', '/:a/:b', '/docs/%2A/x', '/a.b+c', '/what?', 'https://old.example.org/a', '/C++/x.y', '/x(1)'])(
  '%s has none',
  (path) => {
    expect(problemOfSigns(path)).toBeNull();
  },
);

it('take no long time for any address', () => {
  const pattern = { path: '/:a-:b-:c-:d-:e-:f.html', target: '/:a' };
  expect(matchPattern(pattern, `/${'-'.repeat(1999)}`)).toBeNull();
  expect(matchPattern(pattern, `/${'a-'.repeat(999)}`)).toBeNull();
});

it('have a beginning that is looked for among few, however many parts an address has', () => {
  const deep = '/a'.repeat(32);
  const pattern = { path: `${deep}/*`, target: '/x/:splat' };
  expect(problemOfPattern(pattern)).toBeNull();
  expect(new Patterns([pattern]).find(`${deep}/b/c`)?.target).toBe('/x/b/c');
  const problem = 'before its first name or *, a pattern has at most 32 parts';
  expect(problemOfPattern({ ...pattern, path: `/a${deep}/*` })).toBe(problem);
  // Of a thousand parts, the beginnings had a million letters.
  expect(startsOf('/a'.repeat(1000)).join('').length).toBeLessThan(2000);
});
