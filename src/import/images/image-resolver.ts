import { createHash } from 'node:crypto';
import { specOf } from '../../shared/contracts/post-fields.js';
import { parseMediaUrl } from '../../shared/media.js';
import { isDataAddress, readDataImage } from './data-image.js';
import type { ImageFinder } from './image-finder.js';
import { placeholderOf, type PendingFile, type PendingImage } from './pending-image.js';
import { PlayerResolver } from './player-resolver.js';
import type { PlayableFilesService } from '../../uploads/playable-files.service.js';
import { shortenAddress, toSitePath, toWebAddress, type Showing } from './written-address.js';
import { findImageTags, replaceImages } from '../markdown/markdown.js';
import { namedFields, type NamedTexts } from '../source-post.js';

/** The text of a post with its images found, of which none was taken yet. */
export interface ResolvedImages {
  /** Unchecked HTML; images that are to be taken have their placeholders as addresses. */
  readonly html: string;
  /** The featured image: a placeholder, or the address of an image that is here already, or that stays elsewhere. */
  readonly imageUrl: string | null;
  /** The other fields that the source names, images among them resolved in the same way. */
  readonly named: Partial<NamedTexts>;
  readonly images: readonly PendingImage[];
  /** Files that it plays. */
  readonly files: readonly PendingFile[];
  /** Images that were not found, in words: they may be in a folder that nobody named. */
  readonly missing: readonly string[];
  readonly warnings: readonly string[];
}

/** Collects, over all images of one post, what has to be taken and what is wrong. */
interface Notes {
  readonly images: Map<string, PendingImage>;
  /** By path. */
  readonly files: Map<string, PendingFile>;
  readonly missing: string[];
  readonly warnings: string[];
}

/** Why an image is not to be had; `isMissing` where another folder may have it. */
interface Absence {
  readonly reason: string;
  readonly isMissing: boolean;
}

/** Finds what posts show: files first, then what the text itself contains, then addresses. Asks no other machine. */
export class ImageResolver {
  private readonly players: PlayerResolver;

  constructor(
    private readonly finder: ImageFinder,
    playable: Pick<PlayableFilesService, 'inspect'>,
  ) {
    this.players = new PlayerResolver(finder, playable);
  }

  async resolve(post: Showing): Promise<ResolvedImages> {
    const notes: Notes = { images: new Map(), files: new Map(), missing: [], warnings: [] };
    const imageUrl = post.image === null ? null : await this.resolveImage(post.image.address, post, notes);
    const named: Record<string, unknown> = { ...post.named };
    for (const name of namedFields.filter((field) => specOf(field).kind === 'image')) {
      const address = named[name];
      // A preview of a link has the featured image instead: nobody misses it. Exports are taken to the letter.
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
    const shown = replaceImages(post.html, tags, sources);
    const { images, files, missing, warnings } = notes;
    const html = await this.players.resolve(shown, post, {
      files,
      warnings,
      resolvePoster: (address) => this.resolveImage(address, post, notes, true),
      count: () => images.size + files.size,
    });
    return {
      html,
      imageUrl,
      named,
      images: [...images.values()],
      files: [...files.values()],
      missing: [...new Set(missing)],
      warnings: [...new Set(warnings)],
    };
  }

  /** The address under which the post refers to an image for now; null to leave it out. */
  private async resolveImage(address: string, post: Showing, notes: Notes, isOptional = false): Promise<string | null> {
    const written = address.trim();
    const found = await this.find(written, post);
    if (found === 'here') return written;
    if ('reason' in found) return this.noteAbsence(written, found, notes, isOptional);
    const known = notes.images.get(found.identity);
    if (known !== undefined) return known.placeholder;
    const placeholder = placeholderOf(notes.images.size + notes.files.size);
    notes.images.set(found.identity, { ...found, placeholder, written: shortenAddress(written) });
    return placeholder;
  }

  private async find(
    written: string,
    { folder, baseUrl, siteUrl, isExact }: Showing,
  ): Promise<Pick<PendingImage, 'identity' | 'origin'> | Absence | 'here'> {
    if (isDataAddress(written)) {
      const bytes = readDataImage(written);
      if (bytes !== null) return { identity: hashOf(bytes), origin: { url: written } };
      return { reason: 'is part of the text in a form that cannot be read', isMissing: false };
    }
    const web = toWebAddress(written, null);
    if (web !== null && isExact === true) return 'here';
    const own = toSitePath(written, siteUrl);
    const copy = own === null ? null : await this.finder.find(own, folder);
    if (copy !== null && 'path' in copy) return { identity: copy.hash, origin: { path: copy.path } };
    const file = await (web === null ? this.finder.find(written, folder) : this.finder.findCopy(web, baseUrl));
    if (file !== null && 'path' in file) return { identity: file.hash, origin: { path: file.path } };
    if (parseMediaUrl(written) !== null) return 'here';
    const url = web ?? (file?.isMissing === false || written === '' ? null : toWebAddress(written, baseUrl));
    const upload = web !== null || url === null ? null : await this.finder.findCopy(url, baseUrl);
    if (upload !== null && 'path' in upload) return { identity: upload.hash, origin: { path: upload.path } };
    if (url !== null) return { identity: url.href, origin: { url: url.href } };
    return file ?? { reason: 'is no address of a file', isMissing: written !== '' };
  }

  private noteAbsence(written: string, { reason, isMissing }: Absence, notes: Notes, isOptional: boolean): null {
    const text = `the image ${written === '' ? 'without an address' : shortenAddress(written)}: ${reason}`;
    notes.warnings.push(`${text}; left out`);
    if (isMissing && !isOptional) notes.missing.push(text);
    return null;
  }
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
