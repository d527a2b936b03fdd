import { headOf, text } from './common-fields.js';
import { definePage } from './fields.js';

/** The list of posts (product.md 2.9): what stands above them. Feeds say it as well. */
export const blogsTexts = definePage('blogs', {
  ...headOf('IT & Tech Blog', 'Stay updated with the latest IT news, tech tips, and industry insights from {company}.'),
  lede: text('Introduction', 'Stay updated with the latest IT news, tech tips, and industry insights'),
});
