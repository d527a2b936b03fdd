import { characterCount } from '../shared/contracts/post-input.js';
import { specOf, type PostField } from '../shared/contracts/post-fields.js';
import { readNamed, type SourcePost } from './source-post.js';

/**
 * Cuts what is longer than posts may have here and can be cut without changing what the post says: the excerpt, the
 * category, and fields that the source names as we do. A cut one ends with a whole word; the warning holds all of it, so that nothing is lost.
 */
export function fitTexts(post: SourcePost): SourcePost {
  const warnings: string[] = [];
  const fit = <T>(name: PostField, value: T): T | string => {
    const { limit = Infinity } = specOf(name);
    const text = typeof value === 'string' ? value.trim() : '';
    const length = characterCount(text);
    if (length <= limit) return value;
    const whole = text.replace(/\s+/g, ' ');
    warnings.push(
      `the ${name} has ${length} characters and was cut to the ${limit} that are allowed; it was: ${whole}`,
    );
    return cutAtWord(text, limit);
  };
  const { named } = post;
  const fitted = {
    excerpt: fit('excerpt', post.excerpt),
    category: fit('category', post.category),
    ...(named === undefined ? {} : readNamed((name) => fit(name, named[name]))),
  };
  return warnings.length === 0 ? post : { ...post, ...fitted, warnings: [...post.warnings, ...warnings] };
}

/** The text's first words that, with an ellipsis, are no longer than the limit; of a single long word, its beginning. */
function cutAtWord(text: string, limit: number): string {
  const start = [...text].slice(0, limit);
  const words = start.join('').replace(/\s+\S*$/u, '');
  const isWorthIt = [...words].length < limit && [...words].length > limit / 2;
  const kept = isWorthIt ? words : start.slice(0, -1).join('');
  return `${kept.replace(/[\s,;:.–—-]+$/u, '')}…`;
}
