import { createHash } from 'node:crypto';
import { specOf } from '../../shared/contracts/post-fields.js';
import { parseMediaUrl } from '../../shared/media.js';
import { isDataAddress, readDataImage } from './data-image.js';
import type { ImageFinder } from './image-finder.js';
import { placeholderOf, type PendingImage } from './pending-image.js';
import { findImageTags, replaceImages } from '../markdown/markdown.js';
import { namedFields, type NamedTexts, type SourcePost } from '../source-post.js';

/** The text of a post with its images found, of which none was taken yet. */
export interface ResolvedImages {
  /** Unchecked HTML; images that are to be taken have their placeholders as addresses. */
  readonly html: string;
  /** The featured image: a placeholder, or the address of an image that is here already, or that stays elsewhere. */
  readonly imageUrl: string | null;
  /** The other fields that the source names, images among them resolved in the same way. */
  readonly named: Partial<NamedTexts>;
  readonly images: readonly PendingImage[];
  /** Why the post cannot be taken. */
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
}

/** The parts of a post that show images. */
type Showing = Pick<SourcePost, 'image' | 'named' | 'html' | 'folder' | 'baseUrl' | 'isExact'>;

/** Collects, over all images of one post, what has to be taken and what is wrong. */
interface Notes {
  readonly images: Map<string, PendingImage>;
  readonly reasons: string[];
  readonly warnings: string[];
}

/** Why an image is not to be had; `isMissing` when leaving it out is for the importer to decide. */
interface Absence {
  readonly reason: string;
  readonly isMissing: boolean;
}

/** Finds what posts show: files first, then what the text itself contains, then addresses. Asks no other machine. */
export class ImageResolver {
  constructor(
    private readonly finder: ImageFinder,
    private readonly isLeavingOutMissing: boolean,
  ) {}

  async resolve(post: Showing): Promise<ResolvedImages> {
    const notes: Notes = { images: new Map(), reasons: [], warnings: [] };
    const imageUrl = post.image === null ? null : await this.resolveImage(post.image.address, post, notes);
    const named: Record<string, unknown> = { ...post.named };
    for (const name of namedFields.filter((field) => specOf(field).kind === 'image')) {
      const address = named[name];
      // A preview of a link has the featured image instead: no reason to refuse a post. Exports are taken to the letter.
      const isOptional = post.isExact !== true;
      if (typeof address === 'string') named[name] = await this.resolveImage(address, post, notes, isOptional);
    }
    const tags = findImageTags(post.html);
    const sources: (string | null)[] = [];
    for (const { attributes } of tags) {
      // Where images load late, the real address is beside an empty one.
      const written = attributes['src']?.trim() || attributes['data-src'] || '';
      sources.push(await this.resolveImage(written, post, notes));
    }
    const html = replaceImages(post.html, tags, sources);
    const { reasons, warnings } = notes;
    return { html, imageUrl, named, images: [...notes.images.values()], reasons, warnings };
  }

  /** The address under which the post refers to an image for now; null to leave it out. */
  private async resolveImage(address: string, post: Showing, notes: Notes, isOptional = false): Promise<string | null> {
    const written = address.trim();
    const found = await this.find(written, post);
    if (found === 'here') return written;
    if ('reason' in found) return this.noteAbsence(written, found, notes, isOptional);
    const known = notes.images.get(found.identity);
    if (known !== undefined) return known.placeholder;
    const placeholder = placeholderOf(notes.images.size);
    notes.images.set(found.identity, { ...found, placeholder, written: shorten(written) });
    return placeholder;
  }

  private async find(
    written: string,
    { folder, baseUrl, isExact }: Showing,
  ): Promise<Pick<PendingImage, 'identity' | 'origin'> | Absence | 'here'> {
    if (isDataAddress(written)) {
      const bytes = readDataImage(written);
      if (bytes !== null) return { identity: hashOf(bytes), origin: { url: written } };
      return { reason: 'is part of the text in a form that cannot be read', isMissing: false };
    }
    const web = readWebAddress(written, null);
    if (web !== null && isExact === true) return 'here';
    const file = await (web === null ? this.finder.find(written, folder) : this.finder.findCopy(web, baseUrl));
    if (file !== null && 'path' in file) return { identity: file.hash, origin: { path: file.path } };
    if (parseMediaUrl(written) !== null) return 'here';
    const url = web ?? (file?.isMissing === false || written === '' ? null : readWebAddress(written, baseUrl));
    if (url !== null) return { identity: url.href, origin: { url: url.href } };
    return file ?? { reason: 'is no address of a file', isMissing: written !== '' };
  }

  private noteAbsence(written: string, { reason, isMissing }: Absence, notes: Notes, isOptional: boolean): null {
    const text = `the image ${written === '' ? 'without an address' : shorten(written)}: ${reason}`;
    if (isOptional || !isMissing || this.isLeavingOutMissing) notes.warnings.push(`${text}; left out`);
    else notes.reasons.push(`${text} (--assets names a folder to look in, --skip-missing-images leaves it out)`);
    return null;
  }
}

/**
 * An absolute address of the web, `//host/...` made https; null for everything else.
 * @param base the address to which it is relative; null when there is none
 */
function readWebAddress(written: string, base: string | null): URL | null {
  const isAbsolute = /^(?:https?:)?[/\\]{2}/i.test(written);
  if (!isAbsolute && base === null) return null;
  const relativeTo = isAbsolute ? 'https://unused.invalid/' : (base ?? undefined);
  if (!URL.canParse(written, relativeTo)) return null;
  const url = new URL(written, relativeTo);
  return /^https?:$/.test(url.protocol) ? url : null;
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function shorten(written: string): string {
  // A copy: a part of the text would keep all of it in memory.
  return written.length > 200 ? `${Buffer.from(written.slice(0, 60)).toString()}...` : written;
}
