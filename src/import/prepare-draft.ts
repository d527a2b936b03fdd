import { mapFields } from '../shared/contracts/post-fields.js';
import { RemovalLog } from '../posts/content/removal-log.js';
import { preparePost, type PostFields } from '../posts/post-preparation.js';
import { PostInputError, type PostProblem } from '../posts/post.errors.js';
import { fitTexts } from './fit-texts.js';
import type { ImageResolver, ResolvedImages } from './images/image-resolver.js';
import type { ImportDraft } from './import-draft.js';
import { linkFrames } from './frames.js';
import { escapeHtml } from './html-text.js';
import { RefusedError } from './import.errors.js';
import { namedFields, type NamedTexts, type SourcePost } from './source-post.js';
import { withUnreservedSlug } from './unreserved-slug.js';

/**
 * Checks a post as every writer's posts are checked, and finds its images; writes nothing.
 * @throws RefusedError with everything that is wrong with it
 */
export async function prepareDraft(source: SourcePost, sourceKey: string, images: ImageResolver): Promise<ImportDraft> {
  const post = withUnreservedSlug(source);
  const framed: string[] = [];
  const shown = post.isExact === true ? post : { ...post, html: linkFrames(post.html, framed) };
  const fitted = fitTexts(shown);
  const resolved = await images.resolve(fitted);
  const log = new RemovalLog();
  const noted = [...fitted.warnings, ...framed, ...resolved.warnings];
  const fields = check(fitted, resolved, noted, log);
  return {
    post,
    sourceKey,
    fields,
    images: resolved.images,
    files: resolved.files,
    warnings: [...noted, ...log.describe()],
  };
}

function check(post: SourcePost, resolved: ResolvedImages, warnings: string[], log: RemovalLog): PostFields {
  const reasons = [...resolved.reasons];
  try {
    const fields = prepareShown(post, resolved, warnings, log);
    if (reasons.length === 0) return fields;
  } catch (error) {
    if (!(error instanceof PostInputError)) throw error;
    // A post of nothing but images that were not found is not empty: the images are what is wrong with it.
    const problems = error.problems.filter(({ field }) => field !== 'content' || reasons.length === 0);
    reasons.unshift(...problems.map(describeProblem));
  }
  throw new RefusedError(reasons, post.slug || null, [...warnings, ...log.describe()]);
}

/** A post of a picture without a word, as some sites have them, shows it in its text too, as there is no post without anything in it. */
function prepareShown(post: SourcePost, resolved: ResolvedImages, warnings: string[], log: RemovalLog): PostFields {
  try {
    return preparePost(toInput(post, resolved), log);
  } catch (error) {
    const isEmpty = error instanceof PostInputError && error.problems.every(({ field }) => field === 'content');
    if (!isEmpty || resolved.imageUrl === null || post.isExact === true) throw error;
    const picture = `<p><img src="${escapeHtml(resolved.imageUrl)}" alt="${escapeHtml(post.image?.alt ?? '')}"></p>`;
    const fields = preparePost(toInput(post, { ...resolved, html: picture }));
    warnings.push('has no text there: its picture stands in the text as well');
    return fields;
  }
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

function describeProblem({ field, message, limit, length }: PostProblem): string {
  if (limit === undefined) return `${field}: ${message}`;
  return `${field}: ${message} (${length} characters, at most ${limit} are allowed)`;
}
