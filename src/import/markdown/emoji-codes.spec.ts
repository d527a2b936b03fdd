import { expect, it } from '@jest/globals';
import { markdownToHtml } from '../../shared/markdown-to-html.js';
import { showEmoji, showEmojiInLine } from './emoji-codes.js';

const text = markdownToHtml(
  'Done :tada: and :+1::tada:, at 10:30:15, a:bb:c, :constructor: :shipit:rocket:, http://a:80:bb:/ `:no:`\n\n    :tada:\n\n```\n:tada:\n```\n\n- a\n\n\t:smile_cat: [b](/c:tada:d) ![:tada:](e.png)\n',
);
const note = ['codes of emoji were left in the text: :constructor:'];

it.each([
  [{ generator: 'hugo', values: { enableemoji: true } }, true],
  [{ generator: 'hugo', values: {} }, false],
  [{ generator: 'zola', values: { markdown: { render_emoji: true } } }, true],
  [{ generator: 'zola', values: { markdown: {} } }, false],
  [{ generator: 'jekyll', values: { plugins: ['jekyll-feed', 'jemoji'] } }, true],
  [{ generator: 'jekyll', values: { plugins: 'jekyll-feed' } }, false],
  [null, false],
] as const)('shows emoji of a site that shows them, and names other codes: %j', async (site, isShowing) => {
  const { html, warnings } = await showEmoji(text, site);
  const shown = text
    .replace('Done :tada: and :+1::tada:,', 'Done 🎉 and 👍🎉,')
    .replace(':shipit:rocket:', ':shipit🚀')
    .replace(':smile_cat:', '😸');
  expect(html).toBe(isShowing ? shown : text);
  expect(warnings).toEqual(isShowing ? note : []);
  expect(await showEmoji('none :here', site)).toEqual({ html: 'none :here', warnings: [] });
  const isJekyll = isShowing && site.generator === 'jekyll';
  expect(await showEmojiInLine('A :tada:', site)).toBe(isJekyll ? 'A 🎉' : 'A :tada:');
});
