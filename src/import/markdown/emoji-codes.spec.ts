import { expect, it } from '@jest/globals';
import { markdownToHtml } from '../../shared/markdown-to-html.js';
import { nameEmojiCodes } from './emoji-codes.js';

const text = markdownToHtml(
  'Done :tada: and :+1::tada:, at 10:30:15, a:b:c, http://a:80:b:/ `:no:`\n\n    :no:\n\n```\n:no:\n```\n\n- a\n\n\t:smile_cat: [b](/c:no:d) ![:no:](e.png)\n',
);
const note = ['codes of emoji were left in the text: :tada:, :smile_cat:'];

it.each([
  [{ generator: 'hugo', values: { enableemoji: true } }, note],
  [{ generator: 'hugo', values: {} }, []],
  [{ generator: 'zola', values: { markdown: { render_emoji: true } } }, note],
  [{ generator: 'zola', values: { markdown: {} } }, []],
  [{ generator: 'jekyll', values: { plugins: ['jekyll-feed', 'jemoji'] } }, note],
  [{ generator: 'jekyll', values: { plugins: 'jekyll-feed' } }, []],
  [null, []],
] as const)('names codes of emoji of a site that shows them: %j', (site, expected) => {
  expect(nameEmojiCodes(text, site)).toEqual(expected);
  expect(nameEmojiCodes('none :here', site)).toEqual([]);
});
