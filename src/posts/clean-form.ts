import type { PostForm } from '../shared/contracts/admin-posts.js';
import { cleanCharacters } from './content/clean-characters.js';
import { sanitizeContent } from './content/sanitize-content.js';

/** A form without what the database cannot hold, and with a text that is safe to be shown. */
export function cleanForm(form: PostForm): PostForm {
  const clean = <T extends string | null>(value: T) => (value === null ? value : cleanCharacters(value)) as T;
  return {
    title: clean(form.title),
    slug: clean(form.slug),
    excerpt: clean(form.excerpt),
    content: sanitizeContent(form.content),
    author: clean(form.author),
    category: clean(form.category),
    tags: clean(form.tags),
    image_url: clean(form.image_url),
    image_alt: clean(form.image_alt),
    published_date: clean(form.published_date),
  };
}
