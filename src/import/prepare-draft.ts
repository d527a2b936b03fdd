import { mapFields } from '../shared/contracts/post-fields.js';
import { RemovalLog } from '../posts/content/removal-log.js';
import { preparePost, type PostFields } from '../posts/post-preparation.js';
import { PostInputError, type PostProblem } from '../posts/post.errors.js';
import { fitTexts } from './fit-texts.js';
import type { ImageResolver, ResolvedImages } from './images/image-resolver.js';
import type { ImportDraft } from './import-draft.js';
import { linkFrames } from './frames.js';
import { noteHiddenText } from './hidden-text.js';
import { escapeHtml } from './html-text.js';
import { findImageTags } from './markdown/markdown.js';
import { RefusedError } from './import.errors.js';
import { namedFields, type NamedTexts, type SourcePost } from './source-post.js';
import { withUnreservedSlug } from './unreserved-slug.js';

/**
 * Checks a post as every writer's posts are checked, and finds its images; writes nothing.
 * @throws RefusedError with everything that is wrong with it; of an export of ours also that an image is missing, if `isWhole`
 */
export async function prepareDraft(
  source: SourcePost,
  sourceKey: string,
  images: ImageResolver,
  isWhole = false,
): Promise<ImportDraft> {
  const post = withUnreservedSlug(source);
  const framed: string[] = [];
  const shown = post.isExact === true ? post : { ...post, html: linkFrames(post.html, framed) };
  if (post.isExact !== true) noteHiddenText(post.html, framed);
  const fitted = fitTexts(shown);
  const resolved = await images.resolve(fitted);
  const log = new RemovalLog();
  const noted = [...fitted.warnings, ...framed, ...resolved.warnings];
  // An export is taken to the letter, or not at all.
  const missing = post.isExact === true && isWhole ? resolved.missing.map(withHint) : [];
  const fields = check(fitted, resolved, { reasons: missing, warnings: noted, log });
  return {
    post,
    sourceKey,
    fields,
    images: resolved.images,
    files: resolved.files,
    missing: resolved.missing,
    warnings: [...noted, ...log.describe()],
  };
}

/** Reasons to refuse a post, and things that somebody should look at. */
interface Notes {
  readonly reasons: string[];
  readonly warnings: string[];
  readonly log: RemovalLog;
}

function check(post: SourcePost, resolved: ResolvedImages, { reasons, warnings, log }: Notes): PostFields {
  try {
    const fields = prepareShown(post, resolved, warnings, log);
    if (reasons.length === 0) return fields;
  } catch (error) {
    if (!(error instanceof PostInputError)) throw error;
    reasons.unshift(...error.problems.map(describeProblem));
  }
  throw new RefusedError(reasons, post.slug || null);
}

/** There is no post without anything in it, but sites have them, and addresses that lead to them: their picture stands in the text, or their words. */
function prepareShown(post: SourcePost, resolved: ResolvedImages, warnings: string[], log: RemovalLog): PostFields {
  try {
    return preparePost(toInput(post, resolved), log);
  } catch (error) {
    const isEmpty = error instanceof PostInputError && error.problems.every(({ field }) => field === 'content');
    if (!isEmpty || post.isExact === true) throw error;
    const { html, warning } = standInFor(post, resolved.imageUrl);
    const fields = preparePost(toInput(post, { ...resolved, html }));
    warnings.push(warning);
    return fields;
  }
}

function standInFor({ html, image, title }: SourcePost, imageUrl: string | null): { html: string; warning: string } {
  const lack = html.trim() === '' ? 'has no text there' : 'nothing is left of its text';
  if (imageUrl !== null) {
    const picture = `<p><img src="${escapeHtml(imageUrl)}" alt="${escapeHtml(image?.alt ?? '')}"></p>`;
    return { html: picture, warning: `${lack}: its picture stands in the text as well` };
  }
  const words = findImageTags(html).flatMap(({ attributes }) => attributes['alt']?.trim() || []);
  if (words.length === 0) return { html: toParagraphs([title]), warning: `${lack}: its title stands in its place` };
  return { html: toParagraphs(words), warning: `${lack}: the words that describe its pictures stand in its place` };
}

function toParagraphs(texts: readonly string[]): string {
  return texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('');
}

/** Says something about every field: what the source does not have is empty. */
function toInput(post: SourcePost, { html, imageUrl, named }: ResolvedImages): object {
  const { title, slug, excerpt, author, category, tags, image, date, scheduledAt, isExact } = post;
  return {
    ...mapFields<NamedTexts>(namedFields, (name) => named[name] ?? null),
    title,
    slug,
    excerpt,
    author,
    category,
    tags,
    image_url: imageUrl,
    image_alt: imageUrl === null ? null : image?.alt,
    content: html,
    published_date: (date ?? (isExact === true ? undefined : scheduledAt))?.toISOString(),
  };
}

/** Names what is missing, and what somebody can do about it. */
export function withHint(missing: string): string {
  return `${missing} (--assets names a folder to look in, --skip-missing-images leaves it out)`;
}

function describeProblem({ field, message, limit, length }: PostProblem): string {
  if (limit === undefined) return `${field}: ${message}`;
  return `${field}: ${message} (${length} characters, at most ${limit} are allowed)`;
}
