import { characterCount, isWebAddress, readPoint } from '../shared/contracts/post-input.js';
import { specOf, type PostField } from '../shared/contracts/post-fields.js';
import { readNamed, type SourcePost } from './source-post.js';

/**
 * Leaves addresses out that say nothing here, and cuts what is longer than posts may have here: no post is refused over one
 * of its names. A cut one ends with a whole word, authors with a whole name, a slug with a whole part; the warning
 * holds all of it, so that nothing is lost.
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
      `the ${name === 'tags' ? 'tag' : name} has ${length} characters and was cut to the ${limit} that are allowed; it was: ${whole}`,
    );
    if (name === 'slug')
      return [...text]
        .slice(0, limit)
        .join('')
        .replace(/-[^-]*$/, '');
    return name === 'author' ? cutAtName(text, limit) : cutAtWord(text, limit);
  };
  const fitTag = (tag: string): string => fit('tags', tag);
  /** The value of a field, or null for what is none of its kind: an address cannot be cut, and one within the source's own site says nothing of a post that has moved here. */
  const fitKind = <T>(name: PostField, value: T): T | null => {
    const { kind, limit = Infinity } = specOf(name);
    if (kind === 'point' && typeof value === 'string' && readPoint(value.trim()) === null) {
      warnings.push(`the ${name} is no point such as '30% 70%' and was left out; it was: ${value.slice(0, 500)}`);
      return null;
    }
    if (kind !== 'address' || typeof value !== 'string') return value;
    if (!isWebAddress(value.trim()) || characterCount(value) > limit) {
      warnings.push(`the ${name} is no address of a page and was left out; it was: ${value.slice(0, 500)}`);
      return null;
    }
    const site = URL.parse(post.baseUrl ?? post.siteUrl ?? '');
    const isOwn = site !== null && new URL(value.trim()).host === site.host;
    if (isOwn) warnings.push(`the ${name} is on the site that the post comes from and was left out; it was: ${value}`);
    return isOwn ? null : value;
  };
  const { named, ...rest } = post;
  const fitted = {
    title: fit('title', post.title),
    slug: fit('slug', post.slug),
    author: fit('author', post.author),
    tags: post.tags?.map(fitTag) ?? null,
    excerpt: fit('excerpt', post.excerpt),
    category: fit('category', post.category),
    ...(named === undefined ? {} : readNamed((name) => fit(name, fitKind(name, named[name])))),
  };
  return warnings.length === 0 ? post : { ...rest, ...fitted, warnings: [...post.warnings, ...warnings] };
}

/** The first of several names, as many as fit; of a single long one, its beginning. */
function cutAtName(text: string, limit: number): string {
  const names = text.split(', ');
  while (names.length > 1 && characterCount(`${names.join(', ')}, …`) > limit) names.pop();
  const kept = `${names.join(', ')}, …`;
  return characterCount(kept) > limit ? cutAtWord(text, limit) : kept;
}

/** The text's first words that, with an ellipsis, are no longer than the limit; of a single long word, its beginning. */
function cutAtWord(text: string, limit: number): string {
  const start = [...text].slice(0, limit);
  const words = start.join('').replace(/\s+\S*$/u, '');
  const isWorthIt = [...words].length < limit && [...words].length > limit / 2;
  const kept = isWorthIt ? words : start.slice(0, -1).join('');
  return `${kept.replace(/[\s,;:.–—-]+$/u, '')}…`;
}
