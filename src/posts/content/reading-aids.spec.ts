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

describe('blocks on their page', () => {
  const english = '<p>Hello, everybody.</p>';
  const hebrew = '<p>שלום לכולם, וברוכים הבאים.</p>';
  const box = (direction: string) => `<div${direction} class="code"><p class="code-head">Code</p>`;

  it.each([
    ['as they are where all go one way', `${english}<ul><li>One</li></ul>`, `${english}<ul><li>One</li></ul>`],
    ['as they are where all go the other way', `${hebrew}<p>1,000</p>`, `${hebrew}<p>1,000</p>`],
    ['their own way among others', `<p>שלום</p>${english}`, `<p dir="rtl">שלום</p>${english}`],
    [
      'as a whole with what is in them',
      `${english}<blockquote><p>כן</p><ul><li>לא</li></ul></blockquote>`,
      `${english}<blockquote dir="rtl"><p>כן</p><ul><li>לא</li></ul></blockquote>`,
    ],
    [
      'the way of most of their letters, whichever comes first',
      `<p>שלום means hello to all.</p>${english}`,
      `<p dir="ltr">שלום means hello to all.</p>${english}`,
    ],
    [
      'as their writer has turned them',
      `<p class="ql-direction-rtl">VPN: כן</p>${english}`,
      `<p dir="rtl" class="ql-direction-rtl">VPN: כן</p>${english}`,
    ],
  ])('go %s', (_how, html, expected) => {
    expect(aid(html)).toBe(expected);
  });

  it('are not outweighed by code', () => {
    const html = aid(`<pre tabindex="0"><code>const everything = "left to right";</code></pre>${hebrew}`);
    expect(html.startsWith(box(' dir="rtl"'))).toBe(true);
    expect(html.endsWith(hebrew)).toBe(true);
  });
});
