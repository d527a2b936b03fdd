import { expect, it } from '@jest/globals';
import { toCommentHtml } from './comment-html.js';

it.each([
  ['<p>One</p>two <b>three</b><div>four</div>', '<p>One</p><p>two <strong>three</strong></p><p>four</p>'],
  ['<h2>Loud</h2><p><img src="https://x.example/1.png" alt=""></p>', '<p>Loud</p>'],
  ['<table><tr><td>a</td><td></td><td>b</td></tr></table>', '<p>a</p><p>b</p>'],
  // No paragraph can hold a block: browsers would end it there, and begin an empty one.
  ['<table><tr><td>a<blockquote>b</blockquote>c</td></tr></table>', '<p>a</p><blockquote>b</blockquote><p>c</p>'],
  ['<table><tr><td><ul><li>a</li></ul></td></tr></table>', '<ul><li>a</li></ul>'],
  ['<dl><dt>a</dt><dd><p>b</p><p>c</p><pre>d</pre></dd></dl>', '<p>a</p><p>b</p><p>c</p><pre><code>d</code></pre>'],
  ['<ul><li>a<table><tr><td></td><td>b</td></tr></table></li></ul>', '<ul><li>a<p>b</p></li></ul>'],
])('of %s stays %s', (written, expected) => {
  expect(toCommentHtml(written)).toBe(expected);
});
