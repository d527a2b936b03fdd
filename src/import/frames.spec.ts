import { describe, expect, it } from '@jest/globals';
import { leastProcessorTime } from '../../test/support/processor-time.js';
import { linkFrames } from './frames.js';

describe('linkFrames', () => {
  it.each([
    [
      '<p>a</p><iframe width="600" src="https://maps.example/embed?a=1&amp;b=2" title="The &quot;way&quot;"></iframe><p>b</p>',
      '<p>a</p><a href="https://maps.example/embed?a=1&amp;b=2">The &quot;way&quot;</a><p>b</p>',
    ],
    ["<IFRAME src='//a.example/x' >fallback</IFRAME >b", '<a href="https://a.example/x">a.example</a>b'],
    ['<iframe src="about:blank" data-src=https://a.example/x></iframe>', '<a href="https://a.example/x">a.example</a>'],
    [
      '<iframe src="https://w.soundcloud.com/player/?url=https%3A//api.soundcloud.com/tracks/1&amp;color=f"></iframe>',
      '<a href="https://api.soundcloud.com/tracks/1">w.soundcloud.com</a>',
    ],
    [
      '<iframe src="https://open.spotify.com/embed/track/1"></iframe><iframe src="https://codepen.io/a/embed/b?x=1"></iframe>',
      '<a href="https://open.spotify.com/track/1">open.spotify.com</a><a href="https://codepen.io/a/pen/b">codepen.io</a>',
    ],
  ])('makes a link of %s', (html, linked) => {
    const warnings: string[] = [];
    expect(linkFrames(html, warnings)).toBe(linked);
    expect(warnings).toEqual([expect.stringMatching(/^what other sites showed in frames are links here: [a-z]/)]);
  });

  it.each([
    '<iframe src="https://www.youtube.com/embed/abcdefgh"></iframe>',
    '<iframe src="https://a.example/count" width="1" height="1"></iframe>',
    '<iframe src="https://a.example/count" height=0></iframe>',
    '<iframe src="https://a.example/count" style="display:none"></iframe>',
    '<iframe src="/own.html"></iframe><iframe src="javascript:alert(1)"></iframe><iframe></iframe>',
    '<pre><iframe src="https://a.example/x"></iframe></pre><!-- <iframe src="https://a.example/x"></iframe> -->',
    '<iframe src="https://a.example/x">a',
  ])('leaves %s', (html) => {
    const warnings: string[] = [];
    expect(linkFrames(html, warnings)).toBe(html);
    expect(warnings).toEqual([]);
  });

  it.each([
    '<iframe src="https://a.example/x">',
    '<iframe ',
    '<iframe src="',
    '<!-- <iframe >',
    '<iframe src="https://a.example/x"></iframe>',
  ])('takes time in proportion to the length of %j', (piece) => {
    expect(leastProcessorTime(() => void linkFrames(piece.repeat(20_000), []), 2000)).toBeLessThanOrEqual(2000);
  });
});
