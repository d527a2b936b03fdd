import { expect, it } from '@jest/globals';
import { sanitizeContent } from '../../posts/content/sanitize-content.js';
import { toGhostContent } from './ghost-content.js';
import { toWxrContent } from './wxr-content.js';

const addresses = { fileAt: (address: string) => address, pageAt: (path: string) => path, headingIds: [] };

it.each([
  ['WordPress', toWxrContent],
  ['Ghost', toGhostContent],
])('shows in %s to which side texts are set, names the boxes of lists, and comes back as it was', (_system, write) => {
  const content = sanitizeContent(
    '<p class="ql-align-right">Right</p><p class="ql-direction-rtl">ימין</p><table><tbody><tr><td class="ql-align-center">Middle</td></tr></tbody></table>' +
      '<ul><li data-list="checked">Done</li></ul>',
  );
  const { html, losses } = write(content, '192e6a33', addresses);
  expect(html).toContain('<p class="ql-align-right" style="text-align: right">Right</p>');
  expect(html).toContain('<p class="ql-direction-rtl" dir="rtl">ימין</p>');
  expect(html).toContain('<td class="ql-align-center" style="text-align: center">Middle</td>');
  expect(losses).toEqual(['the boxes of checklists, which are plain lists there']);
  expect(sanitizeContent(html.replace(/<!--.*?-->/g, ''))).toBe(content);
  expect(write(sanitizeContent('<p>Text</p>'), '192e6a33', addresses).losses).toEqual([]);
});

it.each([
  ['WordPress', toWxrContent],
  ['Ghost', toGhostContent],
])('says in %s where links beside the post lead', (_system, write) => {
  const link = (address: string) => `<a href="${address}">x</a>`;
  const there = { ...addresses, pageAt: (path: string) => `https://site.example${path}` };
  const moved = ['other?a=1&amp;b=2#c', '../pricing', '/contact'].map(link).join('');
  const kept = ['#costs', 'mailto:a@b.example', 'https://other.example/'].map(link).join('');
  const { html } = write(sanitizeContent(`<p>${moved}${kept}</p>`), '192e6a33', there);
  const whole = ['blogs/other?a=1&amp;b=2#c', 'pricing', 'contact'].map((path) => link(`https://site.example/${path}`));
  expect(html).toContain(`<p>${whole.join('')}${kept}</p>`);
});

it('gives headings the ids by which links name them, as HTML in Ghost where its own would be others', () => {
  const heading = (tag: string, words: string) => `<${tag}>${words}</${tag}>`;
  const content = sanitizeContent(
    `<p><a href="#our-costs">a</a> <a href="#costs--prices-1">b</a> <a href="#%C3%BCber-uns">c</a></p>` +
      heading('h2', 'Our costs') +
      heading('h2', 'Costs &amp; prices') +
      heading('h3', 'Costs &amp; prices') +
      `<blockquote>${heading('h4', 'Über uns')}</blockquote>`,
  );
  const there = { ...addresses, headingIds: ['our-costs', 'costs--prices', 'costs--prices-1', 'über-uns'] };
  const wordpress = toWxrContent(content, '192e6a33', there).html;
  expect(wordpress).toContain('<!-- wp:heading --><h2 id="our-costs">Our costs</h2><!-- /wp:heading -->');
  expect(wordpress).toContain('<!-- wp:heading {"level":3} --><h3 id="costs--prices-1">Costs &amp; prices</h3>');
  expect(wordpress).toContain('<h4 id="über-uns">Über uns</h4>');
  const ghost = toGhostContent(content, '192e6a33', there).html;
  expect(ghost).toContain(
    '</p><h2 id="our-costs">Our costs</h2><h2 id="costs--prices">Costs &amp; prices</h2>' +
      '<!--kg-card-begin: html--><h3 id="costs--prices-1">Costs &amp; prices</h3><!--kg-card-end: html-->',
  );
  for (const html of [wordpress, ghost]) expect(sanitizeContent(html.replace(/<!--.*?-->/g, ''))).toBe(content);
});
