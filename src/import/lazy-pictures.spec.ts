import { expect, it } from '@jest/globals';
import { showLazyPictures } from './lazy-pictures.js';

it.each([
  ['<img src="data:image/gif;base64,R0" data-src="/a.jpg" alt="x">', '<img src="/a.jpg" data-src="/a.jpg" alt="x">'],
  ['<img src="data:image/jpeg;base64,/9" data-src="/a.jpg">', '<img src="/a.jpg" data-src="/a.jpg">'],
  ["<img src='' data-lazy-src='/a\".jpg'>", '<img src="/a&quot;.jpg" data-lazy-src=\'/a".jpg\'>'],
  ['<img src=/img/blank.gif data-original="/a.jpg">', '<img src="/a.jpg" data-original="/a.jpg">'],
  [
    '<img class="x lazyload" src="/a-small.jpg" data-src="/a.jpg">',
    '<img class="x lazyload" src="/a.jpg" data-src="/a.jpg">',
  ],
  [
    '<img data-srcset="/a.jpg 300w, /b.jpg 900w, /c.jpg 600w" alt="$&">',
    '<img src="/b.jpg" data-srcset="/a.jpg 300w, /b.jpg 900w, /c.jpg 600w" alt="$&">',
  ],
  ['<img src="" srcset="/a,b.jpg, /c.jpg 2x">', '<img src="/c.jpg" srcset="/a,b.jpg, /c.jpg 2x">'],
])('shows of %s what comes into sight', (written, shown) => {
  expect(showLazyPictures(written)).toBe(shown);
});

it.each([
  '<img src="/a-300x200.jpg" data-orig-file="/a.jpg" srcset="/a.jpg 2x">',
  '<img src="/a.jpg" data-src="/b.jpg">',
  '<img src="data:image/png;base64,iVBO">',
  '<img src="" data-src="data:image/png;base64,iVBO">',
  '<code>&lt;img data-src="/a.jpg"></code><pre><img src="" data-src="/a.jpg"></pre>',
])('leaves %s', (written) => {
  expect(showLazyPictures(written)).toBe(written);
});
