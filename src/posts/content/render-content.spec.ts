import { describe, expect, it } from '@jest/globals';
import { isEmptyContent, readingMinutes, toPlainText } from './plain-text.js';
import { renderContent } from './render-content.js';

const name = `${'0123456789abcdef'.repeat(2)}-1000x500.jpg`;

describe('renderContent', () => {
  it('turns hosted images into pictures with every rendition and their size', () => {
    const html = renderContent(`<p><img src="/media/${name}" alt="A &quot;b&quot;"></p>`, undefined);
    expect(html).toMatch(/^<p><picture><source type="image\/avif" srcset="\/media\/\S+-480\.avif 480w, [^"]+" sizes="/);
    expect(html).toContain('<source type="image/webp"');
    expect(html).toContain(
      `<img src="/media/${name}" alt="A &quot;b&quot;" width="1000" height="500" loading="lazy" decoding="async">`,
    );
  });

  it('names the bucket when browsers read it directly', () => {
    const html = renderContent(`<img src="/media/${name}" alt="">`, 'https://cdn.example/b');
    expect(html).toContain(`<img src="https://cdn.example/b/${name}"`);
    expect(html).not.toContain('/media/');
  });

  it('keeps the proportions when the author gave a size', () => {
    const html = renderContent(`<img src="/media/${name}" alt="" width="300" height="300">`, undefined);
    expect(html).toContain('width="300" height="150"');
  });

  it('leaves images on other sites where they are, but lets them wait', () => {
    expect(renderContent('<img src="https://a.example/x.png" alt="x">', undefined)).toBe(
      '<img src="https://a.example/x.png" alt="x" loading="lazy" decoding="async">',
    );
  });

  it('lets outer tables and code scroll, by keyboard too', () => {
    const table = '<table><tbody><tr><td><table><tbody><tr><td>x</td></tr></tbody></table></td></tr></tbody></table>';
    expect(renderContent(`${table}<pre><code>x</code></pre>`, undefined)).toBe(
      `<div class="table-scroll" role="region" aria-label="Table" tabindex="0">${table}</div><pre tabindex="0"><code>x</code></pre>`,
    );
  });
});

describe('toPlainText', () => {
  it('gives the words on one line', () => {
    expect(toPlainText('<h2>A&amp;B</h2><p>c<br>d<strong>e</strong></p><ul><li>f</li></ul>')).toBe('A&B c de f');
  });
});

describe('readingMinutes', () => {
  it.each([
    [0, 1],
    [100, 1],
    [660, 3],
  ])('takes a text of %i words to need %i minutes', (words, minutes) => {
    expect(readingMinutes(`<p>${'word '.repeat(words)}</p>`)).toBe(minutes);
  });
});

describe('isEmptyContent', () => {
  it.each([
    ['', true],
    ['<p><br></p>', true],
    ['<p>&nbsp;</p>', true],
    ['<p>x</p>', false],
    ['<p><img src="/media/a.png" alt=""></p>', false],
  ])('of %j is %s', (html, isEmpty) => {
    expect(isEmptyContent(html)).toBe(isEmpty);
  });
});
