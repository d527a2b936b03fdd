import { describe, expect, it } from '@jest/globals';
import { leastProcessorTime } from '../../../test/support/processor-time.js';
import { readComments } from './wordpress-comments.js';
import type { XmlElement } from './xml-tree.js';

const element = (name: string, text: string, children: XmlElement[] = []): XmlElement => ({
  name,
  attributes: new Map(),
  text,
  children,
});
const read = (text: string) => {
  const comment = element('wp:comment', '', [
    element('wp:comment_id', '1'),
    element('wp:comment_author', 'Ann'),
    element('wp:comment_date_gmt', '2016-01-01 10:00:00'),
    element('wp:comment_approved', '1'),
    element('wp:comment_content', text),
  ]);
  const comments = readComments(element('item', '', [comment]), { timeZone: 'UTC', isTakingComments: true });
  return comments?.taken[0]?.html.trim();
};
const link = (address: string, words = address) => `<a href="${address}">${words}</a>`;

describe('readComments', () => {
  it.each([
    ['see https://a.example/b?c=1&amp;d=2, there', `<p>see ${link('https://a.example/b?c=1&amp;d=2')}, there</p>`],
    ['https://a.example/?c=1&d=2\nx', `<p>${link('https://a.example/?c=1&amp;d=2')}<br>\nx</p>`],
    ['at www.a.example.', `<p>at ${link('http://www.a.example', 'www.a.example')}.</p>`],
    ['<img src="//s.w.org/images/core/emoji/2.4/72x72/1f600.png" alt="😀" /> yes', '<p>😀 yes</p>'],
    ['(https://a.example/b)!', `<p>(${link('https://a.example/b')})!</p>`],
    ['https://a.example/b_(c)', `<p>${link('https://a.example/b_(c)')}</p>`],
    ['&lt;https://a.example/&gt;', `<p>&lt;${link('https://a.example/')}&gt;</p>`],
    ['me@www.example and me@a.example', '<p>me@www.example and me@a.example</p>'],
    ['http://:x and https://', '<p>http://:x and https://</p>'],
    [link('https://a.example/', 'https://b.example/'), `<p>${link('https://a.example/', 'https://b.example/')}</p>`],
    ['a <img src="https://a.example/b.png">', '<p>a <img src="https://a.example/b.png"></p>'],
    ['<code>https://a.example/</code>', '<p><code>https://a.example/</code></p>'],
    ['Yes :-) (:-)', '<p>Yes 🙂 (:-)</p>'],
  ])('shows %j as WordPress does', (text, html) => {
    expect(read(text)).toBe(html);
  });

  it.each(['https://a.b/', '<a>', 'www.', 'https://x)', '&gt;', 'https://x&gt;', ':) ', '<'])(
    'takes time in proportion to the length of %j',
    (piece) => {
      const text = piece.repeat(Math.ceil(400_000 / piece.length));
      // With the square of the length it would be minutes.
      expect(leastProcessorTime(() => read(text), 5000)).toBeLessThanOrEqual(5000);
    },
  );
});
