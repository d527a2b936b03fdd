import { createHash } from 'node:crypto';
import { basename, posix } from 'node:path';
import { parseMediaUrl } from '../../shared/media.js';
import { preparePost, type PostFields } from '../post-preparation.js';
import { PostInputError, type PostProblem } from '../post.errors.js';
import { readFields, type FrontMatterFields } from './front-matter-fields.js';
import { parseFrontMatter } from './front-matter.js';
import type { ImageFinder } from './image-finder.js';
import { placeholderOf, type DraftImage, type ImportDraft } from './import-draft.js';
import { RefusedError } from './import.errors.js';
import { findImageTags, markdownToHtml, replaceImages } from './markdown.js';
import { readSourceFile } from './source-files.js';
import { resolveLeftovers } from './template-leftovers.js';

/** Raised when files are to be read differently, so that posts already imported are brought up to date. */
const READER_VERSION = 1;

interface Settings {
  /** Absolute path of the folder that is imported. */
  readonly root: string;
  readonly siteName: string;
  readonly timeZone: string;
  readonly isLeavingOutMissingImages: boolean;
}

/** Collects, over all images of one post, what has to be stored and what is wrong. */
interface ImageNotes {
  readonly images: DraftImage[];
  readonly hashes: string[];
  readonly reasons: string[];
  readonly warnings: string[];
}

/** Reads Markdown files with YAML front matter. */
export class MarkdownReader {
  constructor(
    private readonly finder: ImageFinder,
    private readonly settings: Settings,
  ) {}

  /**
   * Reads and checks one post; writes nothing.
   * @param file relative to the root
   * @throws RefusedError with everything that is wrong with it
   */
  async read(file: string): Promise<ImportDraft> {
    const text = await readSourceFile(this.settings.root, file);
    const { frontMatter, body } = parseFrontMatter(text);
    const { siteName, timeZone } = this.settings;
    const fields = readFields(frontMatter, file, { author: siteName, timeZone });
    const leftovers = resolveLeftovers(body, frontMatter);
    const notes: ImageNotes = { images: [], hashes: [], reasons: [], warnings: [...leftovers.warnings] };
    const folder = posix.dirname(file);
    const imageUrl = fields.image === null ? null : await this.resolveImage(fields.image, folder, notes);
    const content = await this.resolveImages(markdownToHtml(leftovers.text), folder, notes);
    if (fields.date === undefined) notes.warnings.push('no date in the front matter or the file name: dated today');
    return {
      file,
      sourceKey: `markdown:${basename(this.settings.root)}/${file}`,
      sourceHash: hash([READER_VERSION, text, notes.hashes]),
      fields: check(fields, imageUrl, content, notes),
      images: notes.images,
      isPublished: fields.isPublished,
      warnings: notes.warnings,
    };
  }

  private async resolveImages(html: string, folder: string, notes: ImageNotes): Promise<string> {
    const tags = findImageTags(html);
    const sources: (string | null)[] = [];
    for (const tag of tags) sources.push(await this.resolveImage(tag.attributes['src'] ?? '', folder, notes));
    return replaceImages(html, tags, sources);
  }

  /** The address under which the post refers to an image for now; null to leave it out. */
  private async resolveImage(written: string, folder: string, notes: ImageNotes): Promise<string | null> {
    if (/^(?:https?:)?\/\//i.test(written)) {
      notes.warnings.push(`the image ${written} stays where it is, on another site`);
      return written;
    }
    const known = notes.images.find((image) => image.written === written);
    if (known !== undefined) return known.placeholder;
    const found = /^data:/i.test(written)
      ? { reason: 'is part of the text, which is not supported', isMissing: true }
      : await this.finder.find(written, folder);
    if ('path' in found) {
      const image = { placeholder: placeholderOf(notes.images.length), written, path: found.path };
      notes.images.push(image);
      notes.hashes.push(found.hash);
      return image.placeholder;
    }
    if (parseMediaUrl(written) !== null) return written;
    this.noteMissing(written, found, notes);
    return null;
  }

  private noteMissing(written: string, found: { reason: string; isMissing: boolean }, notes: ImageNotes): void {
    const name = written.length > 200 ? `${written.slice(0, 60)}...` : written;
    const reason = `the image ${name === '' ? 'without an address' : name}: ${found.reason}`;
    const isTolerated = found.isMissing && this.settings.isLeavingOutMissingImages;
    if (isTolerated) notes.warnings.push(`${reason}; left out`);
    else notes.reasons.push(found.isMissing ? `${reason} (--assets names a folder to look in)` : reason);
  }
}

/** Checks the fields as every writer's are checked; what is wrong with images is reported along with it. */
function check(fields: FrontMatterFields, imageUrl: string | null, content: string, notes: ImageNotes): PostFields {
  const reasons = [...notes.reasons];
  try {
    const prepared = preparePost({
      ...fields,
      image_url: imageUrl,
      content,
      published_date: fields.date?.toISOString(),
    });
    if (reasons.length === 0) return prepared;
  } catch (error) {
    if (!(error instanceof PostInputError)) throw error;
    // A post of nothing but images that were not found is not empty: the images are what is wrong with it.
    const problems = error.problems.filter(({ field }) => field !== 'content' || reasons.length === 0);
    reasons.unshift(...problems.map(describeProblem));
  }
  throw new RefusedError(reasons, fields.slug || null, notes.warnings);
}

function describeProblem({ field, message, limit, length }: PostProblem): string {
  if (limit === undefined) return `${field}: ${message}`;
  return `${field}: ${message} (${length} characters, at most ${limit} are allowed)`;
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}
