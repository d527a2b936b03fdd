import { describe, expect, it } from '@jest/globals';
import { addReadingAids } from './reading-aids.js';

const aid = (html: string) => addReadingAids(html).html;

describe('code on its page', () => {
  it.each([
    ['<code class="language-js">a</code>', 'JavaScript', 'JavaScript code'],
    ['<code class="language-yml">a</code>', 'YAML', 'YAML code'],
    ['<code class="language-klingon">a</code>', 'klingon', 'klingon code'],
    ['<code>a\n&lt;pre&gt;</code>', 'Code', 'Code'],
  ])('says its language: %s', (code, name, label) => {
    const shown = (text: string) =>
      `<div class="code"><p class="code-head">${name}</p><pre tabindex="0" role="group" aria-label="${label}" translate="no">${text}</pre></div>`;
    const pre = `<pre tabindex="0">${code}</pre>`;
    expect(aid(`${pre}<p>x</p>${pre}`)).toBe(`${shown(code)}<p>x</p>${shown(code)}`);
  });
});

describe('pictures on their page', () => {
  const picture = (alt: string, width = 900) =>
    `<picture><source srcset="/b 1w"><img src="/media/a.png" alt="${alt}" width="${width}" height="2" loading="lazy"></picture>`;
  const link = (label: string, alt: string) =>
    `<a class="picture-link" href="/media/a.png" aria-label="${label}">${picture(alt)}</a>`;

  it('lead to themselves, unless they lead elsewhere or are small', () => {
    const rest = `<a href="/x">b ${picture('A')}</a>${picture('A', 319)}<img src="/y" alt="">`;
    expect(aid(`<p>${picture('A &amp; b')}</p>${rest}${picture('')}`)).toBe(
      `<p>${link('Open the picture: A &amp; b', 'A &amp; b')}</p>${rest}${link('Open the picture', '')}`,
    );
  });
});
