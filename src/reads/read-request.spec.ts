import { describe, expect, it } from '@jest/globals';
import { isCounted, toReferrer } from './read-request.js';

const SITE = 'https://www.site.example';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const usual = { origin: SITE, host: 'www.site.example', 'user-agent': BROWSER, 'sec-fetch-site': 'same-origin' };

describe('a read', () => {
  it.each([
    ['a browser', {}, true],
    ['one that tells less', { 'sec-fetch-site': undefined }, true],
    ['one at another name of the site', { origin: 'http://localhost:3000', host: 'localhost:3000' }, true],
    ['a telephone', { 'user-agent': 'Mozilla/5.0 (Linux; Android 13; CUBOT P80) AppleWebKit/537.36 Mobile' }, true],
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, false],
    ['a neighbour', { 'sec-fetch-site': 'same-site' }, false],
    ['nobody', { origin: undefined }, false],
    ['a hidden origin', { origin: 'null' }, false],
    ['somebody who does not want to be tracked', { dnt: '1' }, false],
    ['somebody with privacy control', { 'sec-gpc': '1' }, false],
    ['a crawler', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }, false],
    ['a program', { 'user-agent': 'curl/8.5.0' }, false],
    ['no agent', { 'user-agent': undefined }, false],
  ])('of %s', (_who, headers, expected) => {
    expect(isCounted({ ...usual, ...headers }, SITE)).toBe(expected);
  });

  it.each([
    ['news.example.org', 'news.example.org'],
    ['WWW.Example.ORG', 'example.org'],
    ['site.example', ''],
    ['', ''],
    ['localhost', ''],
    ['<b>x</b>.example', ''],
    ['example.org/path?who=me', ''],
    ['-a.example', ''],
    [`${'a'.repeat(98)}.example`, ''],
  ])('from %s is one from %s', (given, expected) => {
    expect(toReferrer(given, SITE)).toBe(expected);
  });
});
