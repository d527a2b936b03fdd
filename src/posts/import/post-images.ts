import { readFile } from 'node:fs/promises';
import { parseMediaUrl } from '../../shared/media.js';
import { ImageRejectedError, type UploadsService } from '../../uploads/uploads.service.js';
import type { ImageFinder } from './image-finder.js';
import { placeholderOf, type DraftImage, type TakenImages } from './import-draft.js';
import { RefusedError } from './import.errors.js';
import { findImageTags, replaceImages } from './markdown.js';
import type { SourcePost } from './source-post.js';

interface Parts {
  readonly finder: ImageFinder;
  readonly uploads: UploadsService;
  readonly isDryRun: boolean;
  readonly isLeavingOutMissing: boolean;
}

/** The text of a post with its images found, of which none was taken yet. */
export interface ResolvedImages {
  /** Unchecked HTML; images that are to be taken have their placeholders as addresses. */
  readonly html: string;
  /** The featured image: a placeholder, or an address that stays as it is. */
  readonly imageUrl: string | null;
  readonly images: readonly DraftImage[];
  /** Why the post cannot be taken. */
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
}

interface FileImage extends DraftImage {
  readonly path: string;
}

/** Collects, over all images of one post, what has to be stored and what is wrong. */
interface Notes {
  readonly images: FileImage[];
  readonly reasons: string[];
  readonly warnings: string[];
}

/** Finds the images of posts, and takes them in. */
export class PostImages {
  constructor(private readonly parts: Parts) {}

  /** Finds what the post shows; reads files, asks nobody else, writes nothing. */
  async resolve(post: SourcePost): Promise<ResolvedImages> {
    const notes: Notes = { images: [], reasons: [], warnings: [] };
    const imageUrl = post.image === null ? null : await this.resolveImage(post.image.address, post.folder, notes);
    const tags = findImageTags(post.html);
    const sources: (string | null)[] = [];
    for (const tag of tags) sources.push(await this.resolveImage(tag.attributes['src'] ?? '', post.folder, notes));
    return { html: replaceImages(post.html, tags, sources), imageUrl, ...notes };
  }

  /**
   * Checks the images of a post, then stores them: none is stored for a post that is refused over another. A dry run
   * stores none, and comes to the same refusals and warnings.
   * @throws RefusedError with a reason for each image that is not accepted
   */
  async take(images: readonly DraftImage[]): Promise<TakenImages> {
    const { uploads, isDryRun } = this.parts;
    const files = images as readonly FileImage[];
    // A single image is checked by being stored.
    if (isDryRun || files.length > 1) await forEachImage(files, (bytes) => uploads.inspectImage(bytes));
    const addresses = new Map<string, string>();
    if (!isDryRun) {
      await forEachImage(files, async (bytes, image) => {
        const { url } = await uploads.storeImage(bytes);
        addresses.set(image.placeholder, url);
      });
    }
    return { addresses, unfetched: new Set(), warnings: [] };
  }

  /** The address under which the post refers to an image for now; null to leave it out. */
  private async resolveImage(written: string, folder: string, notes: Notes): Promise<string | null> {
    if (/^(?:https?:)?\/\//i.test(written)) {
      notes.warnings.push(`the image ${written} stays where it is, on another site`);
      return written;
    }
    const known = notes.images.find((image) => image.written === written);
    if (known !== undefined) return known.placeholder;
    const found = /^data:/i.test(written)
      ? { reason: 'is part of the text, which is not supported', isMissing: true }
      : await this.parts.finder.find(written, folder);
    if ('path' in found) {
      const placeholder = placeholderOf(notes.images.length);
      notes.images.push({ placeholder, written, identity: found.hash, path: found.path });
      return placeholder;
    }
    if (parseMediaUrl(written) !== null) return written;
    this.noteMissing(written, found, notes);
    return null;
  }

  private noteMissing(written: string, found: { reason: string; isMissing: boolean }, notes: Notes): void {
    const name = written.length > 200 ? `${written.slice(0, 60)}...` : written;
    const reason = `the image ${name === '' ? 'without an address' : name}: ${found.reason}`;
    const isTolerated = found.isMissing && this.parts.isLeavingOutMissing;
    if (isTolerated) notes.warnings.push(`${reason}; left out`);
    else notes.reasons.push(found.isMissing ? `${reason} (--assets names a folder to look in)` : reason);
  }
}

/** One after another, as each is held in memory whole. */
async function forEachImage(
  images: readonly FileImage[],
  take: (bytes: Buffer, image: FileImage) => Promise<unknown>,
): Promise<void> {
  const reasons: string[] = [];
  for (const image of images) {
    try {
      await take(await readFile(image.path), image);
    } catch (error) {
      if (!(error instanceof ImageRejectedError)) throw error;
      reasons.push(`the image ${image.written}: ${error.message}`);
    }
  }
  if (reasons.length > 0) throw new RefusedError(reasons);
}
