import { describe, expect, it } from '@jest/globals';
import { isCacheableAddress, isCacheableMove, slugOf } from './cacheable-addresses.js';

describe('isCacheableAddress', () => {
  it.each([
    '/',
    '/blogs',
    '/pricing',
    '/auth',
    '/rss.xml',
    '/sitemap.xml',
    '/robots.txt',
    '/blogs/a-post',
    '/blogs/%C3%BCber',
    '/blogs/archive/2024',
    '/blogs/archive/2024/05',
    '/blogs/archive/2024/05/2',
    '/blogs/tag/backups',
    '/blogs/category/%C3%BCber-uns/2',
    '/blogs/author/dana/rss.xml',
    '/blogs/tag/.net/feed.json',
  ])('takes %s', (path) => {
    expect(isCacheableAddress(path)).toBe(true);
  });

  it.each([
    '',
    '/Blogs',
    '/blogs/',
    '/robots.txt/',
    '/blogs/a-post/',
    '/blogs/a/post',
    '/x/blogs/a-post',
    '/blogs/%61-post',
    '/blogs/%c3%bcber',
    '/blogs/%E9',
    '/blogs/a b',
    '/admin/blogs',
    '/blogs/archive/24',
    '/blogs/archive/2024/5',
    '/blogs/archive/2024/13',
    '/blogs/archive/2024/05/1',
    '/blogs/archive/2024/05/2/3',
    '/x/blogs/archive/2024',
    '/blogs/tag/Backups',
    '/blogs/tag/small%20business',
    '/blogs/tag/%c3%bcber',
    '/blogs/tag/backups/1',
    '/blogs/tag/backups/x',
    '/blogs/tag/backups/2/rss.xml',
  ])('takes %j for another spelling, or for no page', (path) => {
    expect(isCacheableAddress(path)).toBe(false);
  });
});

describe('isCacheableMove', () => {
  it.each(['/pricing', '/blogs/former', '/blogs/%C3%BCber', '/blogs/tag/former', '/blogs/tag/former/rss.xml'])(
    'takes %s',
    (path) => {
      expect(isCacheableMove(path)).toBe(true);
    },
  );

  it.each([
    '/blogs/Former',
    '/blogs/u%CC%88ber',
    '/blogs/%C3%9Cber',
    '/blogs/tag/former/2',
    '/blogs/tag/Former',
    '/old',
  ])('takes %s for one of any number that lead on', (path) => {
    expect(isCacheableMove(path)).toBe(false);
  });
});

describe('slugOf', () => {
  it.each([
    ['/blogs/a-post', 'a-post'],
    ['/blogs/%C3%BCber', 'über'],
    ['/blogs/%E9', null],
    ['/blogs/', null],
    ['/blogs', null],
    ['/blogs/a/b', null],
    ['/old/blogs/a', null],
  ])('of %s is %s', (path, slug) => {
    expect(slugOf(path)).toBe(slug);
  });
});
