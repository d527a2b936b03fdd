import { expect, it } from '@jest/globals';
import { toFeedContent, toFeedText } from './feed-content.js';

const site = 'https://site.example/';
const post = `${site}blogs/post`;

it('says where every address leads', () => {
  expect(toFeedContent('<a href="/x">x</a><img src="/media/a" srcset="/media/a 1w, /media/b 2w">', site, post)).toBe(
    `<a href="${site}x">x</a><img src="${site}media/a" srcset="${site}media/a 1w, ${site}media/b 2w">`,
  );
});

it('leads to places in the text, and beside the post, on the page of the post', () => {
  const link = (address: string) => `<a href="${address}">x</a>`;
  const written = ['#costs', 'other?a=1&amp;b=2#c', '../pricing', '?print'].map(link).join('');
  const whole = [`${post}#costs`, `${site}blogs/other?a=1&amp;b=2#c`, `${site}pricing`, `${post}?print`]
    .map(link)
    .join('');
  expect(toFeedContent(written, site, post)).toBe(whole);
  const notes =
    '<sup id="note-1-place"><a href="#note-1">1</a></sup><li id="note-1"><a href="#note-1-place">↩</a></li>';
  expect(toFeedContent(notes, site, post)).toBe(notes);
});

it('says by itself what other pages would need our style sheet for', () => {
  const written =
    '<p class="ql-align-right ql-direction-rtl">a</p><ul><li data-list="checked">b</li><li class="x" data-list="unchecked">c</li></ul>';
  expect(toFeedContent(written, site, post)).toBe(
    '<p class="ql-align-right ql-direction-rtl" dir="rtl" style="text-align: right">a</p>' +
      '<ul><li data-list="checked">☑ b</li><li class="x" data-list="unchecked">☐ c</li></ul>',
  );
});

it('leaves out what no XML can hold', () => {
  expect(toFeedContent('<p><a href="https://a.example/\uffff\ufffe">x</a></p>', site, post)).toBe(
    '<p><a href="https://a.example/">x</a></p>',
  );
});

it('carries formulas as their source', () => {
  const formula = (source: string) =>
    `<span class="ql-formula" data-value="${source}"><span class="katex"><math><mi>e</mi></math></span></span>`;
  expect(toFeedContent(`<p>${formula('a&lt;b')} or ${formula('c')}</p>`, site, post)).toBe(
    '<p><code>a&lt;b</code> or <code>c</code></p>',
  );
});

it('carries a formula that could not be drawn, and all that stands between it and the next one', () => {
  const none = '<span class="ql-formula" data-value="\\frac{1}{">\\frac{1}{</span>';
  const drawn = '<span class="ql-formula" data-value="x"><span class="katex"><math><mi>x</mi></math></span></span>';
  expect(toFeedContent(`<p>Say ${none}, which is none.</p><p>Then ${drawn}.</p>`, site, post)).toBe(
    '<p>Say <code>\\frac{1}{</code>, which is none.</p><p>Then <code>x</code>.</p>',
  );
});

it('carries videos as links', () => {
  const video =
    '<span class="video"><a href="https://vimeo.com/1" data-player="https://player.vimeo.com/video/1">' +
    '<span class="video-sign"></span><span class="video-title"><span class="visually-hidden">Play: </span>A &amp; b</span>' +
    '<span class="video-host">Plays from Vimeo</span></a></span>';
  expect(toFeedContent(`${video}<p>x</p>${video}`, site, post)).toBe(
    '<a href="https://vimeo.com/1">A &amp; b (Vimeo)</a><p>x</p><a href="https://vimeo.com/1">A &amp; b (Vimeo)</a>',
  );
});

it('leaves alone what only looks like an address', () => {
  const sample = '<pre><code>&lt;img src="/x"&gt; href="/y"</code></pre><p>srcset="/z 1w"</p>';
  const elsewhere = '<a href="//other.example/x" data-src="/x">x</a><a href="mailto:a@b.example">y</a>';
  expect(toFeedContent(sample + elsewhere, site, post)).toBe(sample + elsewhere);
});

it.each([
  ['Tom & Jerry, 1 < 2 > 0', 'Tom & Jerry, 1 < 2 > 0'],
  ['The <b> element', 'The &lt;b&gt; element'],
  ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
  ['What &lt; means', 'What &amp;lt; means'],
  ['An unfinished <script', 'An unfinished &lt;script'],
  ['<!-- gone -->', '&lt;!-- gone --&gt;'],
  ['a[b[0]]>c and d[e[1]]>f', 'a[b[0]]&gt;c and d[e[1]]&gt;f'],
])('writes %j as text for every reader', (text, written) => {
  expect(toFeedText(text)).toBe(written);
});
