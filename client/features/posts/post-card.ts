import type { PostSummary } from '../../../src/shared/contracts/posts.js';
import { paths } from '../../../src/shared/paths.js';
import { joinMarkup, markup, type Markup } from '../../lib/markup.js';
import { describeCover } from './post-cover.js';

/** Cards in the first row of the widest grid: their images are not put off. */
const FIRST_ROW = 3;

const SIZES = '(min-width: 60rem) 23rem, (min-width: 38rem) 50vw, 100vw';

/** Written twice for one page otherwise: to tell whether a visitor has the page already, and to show it. */
const written = new WeakMap<readonly PostSummary[], Markup>();

/** The cards of a list. */
export function postCards(posts: readonly PostSummary[]): Markup {
  const known = written.get(posts);
  if (known) return known;
  const cards = joinMarkup(posts.map(writeCard));
  written.set(posts, cards);
  return cards;
}

/**
 * A post in the list (product.md 2.9). The whole card leads to the post.
 * @param index place in the list, from 0
 */
function writeCard(post: PostSummary, index: number): Markup {
  const loading = index === 0 ? 'first' : index < FIRST_ROW ? 'eager' : 'lazy';
  const cover = describeCover({ post, sizes: SIZES, loading });
  return markup`<li class="post-card">
    <div class="${cover.className}">${cover.content}</div>
    <div class="post-card-text">
      ${post.category ? markup`<p><span class="badge">${post.category}</span></p>` : null}
      <h2 class="clamp-2"><a href="${paths.blog(post.slug)}">${post.title}</a></h2>
      ${post.excerpt ? markup`<p class="clamp-3 quiet">${post.excerpt}</p>` : null}
      <p class="post-by">${post.author} · <time datetime="${post.published.iso}">${post.published.short}</time></p>
      ${post.tags?.length ? writeTags(post.tags) : null}
    </div>
  </li>`;
}

function writeTags(tags: readonly string[]): Markup {
  const items = tags.map((tag) => markup`<li><span class="badge badge-quiet">${tag}</span></li>`);
  return markup`<ul role="list" class="badges" aria-label="Tags">${items}</ul>`;
}
