import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { findStilledFormat, ImageRejectedError, type UploadsService } from '../../uploads/uploads.service.js';
import { isDataAddress, readDataImage } from './data-image.js';
import type { PendingFile, PendingImage } from './pending-image.js';
import type { PlayableFilesService } from '../../uploads/playable-files.service.js';
import { ImageUnavailableError } from './image-unavailable.error.js';
import type { RemoteImageFetcher } from './remote-image-fetcher.js';

/** Addresses of which the outcome is remembered; the images themselves are not kept. */
const MAX_KNOWN = 20_000;

/** The result of taking the images of a post. */
export interface TakenImages {
  /**
   * By placeholder: the address of the stored image, or the address elsewhere of one that could not be had, to which the
   * text links. In a dry run, images that are still to be stored have none. Null for one that is left out.
   */
  readonly addresses: ReadonlyMap<string, string | null>;
  /** Placeholders of images that stay elsewhere: the next import tries them again. */
  readonly unfetched: ReadonlySet<string>;
  readonly warnings: readonly string[];
}

interface Parts {
  readonly uploads: Pick<UploadsService, 'findImage' | 'inspectImage' | 'storeImage' | 'drawIfVector'>;
  readonly playable: Pick<PlayableFilesService, 'find' | 'store'>;
  /** Null when nothing is to be fetched. */
  readonly fetcher: Pick<RemoteImageFetcher, 'fetch'> | null;
  /** Looks at every image, and stores none. */
  readonly isDryRun: boolean;
}

/**
 * The result for one address: the new address (null if a dry run did not store the image), or the reason why it stays
 * elsewhere.
 */
type Outcome = Taken | { readonly reason: string };

/** An image that was taken, and what was done to it. */
interface Taken {
  /** Null if a dry run did not store it. */
  readonly address: string | null;
  readonly note?: string;
}

/**
 * Takes the images of posts in, every address once. An image that cannot be had from another site costs nobody the
 * post: the text links to it, and a note says why.
 */
export class ImageTaker {
  private readonly known = new Map<string, Promise<Outcome>>();

  constructor(private readonly parts: Parts) {}

  /**
   * Takes the images of a post. One that is not accepted, or takes too long to decode, or too much memory, is left out: what
   * a post says does not depend on one picture. A dry run, which encodes nothing, comes to the same warnings.
   */
  async take(images: readonly PendingImage[], files: readonly PendingFile[] = []): Promise<TakenImages> {
    const addresses = new Map<string, string | null>(await this.takeFiles(files));
    const warnings: string[] = [];
    // One after another, as each is held in memory whole.
    for (const image of images.filter((one) => !isElsewhere(one))) {
      try {
        const { address, note } = await this.takeBytes(await readImage(image), originOf(image), exportedName(image));
        if (address !== null) addresses.set(image.placeholder, address);
        if (note !== undefined) warnings.push(`the image ${image.written}: ${note}`);
      } catch (error) {
        if (!(error instanceof ImageRejectedError)) throw error;
        addresses.set(image.placeholder, null);
        warnings.push(`the image ${image.written}: ${error.message}; left out`);
      }
    }
    const unfetched = new Set<string>();
    for (const { placeholder, origin, written } of images.filter(isElsewhere)) {
      const outcome = await this.takeOnce(origin.url);
      const address = 'reason' in outcome ? origin.url : outcome.address;
      if ('note' in outcome) warnings.push(`the image ${written}: ${outcome.note}`);
      if (address !== null) addresses.set(placeholder, address);
      if (!('reason' in outcome)) continue;
      unfetched.add(placeholder);
      warnings.push(`the image ${written}: ${outcome.reason}; left out, with a link to it where the text shows it`);
    }
    return { addresses, unfetched, warnings };
  }

  /** Stores sound, films and captions, one after another; a dry run only finds those that are stored. */
  private async takeFiles(files: readonly PendingFile[]): Promise<[string, string][]> {
    const { playable, isDryRun } = this.parts;
    const taken: [string, string][] = [];
    for (const { placeholder, file } of files) {
      const address = await (isDryRun ? playable.find(file) : playable.store(file));
      if (address !== null) taken.push([placeholder, address]);
    }
    return taken;
  }

  private async takeOnce(url: string): Promise<Outcome> {
    const known = this.known.get(url);
    if (known !== undefined) return await known;
    const [oldest] = this.known.keys();
    if (oldest !== undefined && this.known.size >= MAX_KNOWN) this.known.delete(oldest);
    const outcome = this.fetchAndStore(url);
    this.known.set(url, outcome);
    return await outcome;
  }

  private async fetchAndStore(url: string): Promise<Outcome> {
    const { fetcher } = this.parts;
    if (fetcher === null) return { reason: 'was not fetched' };
    try {
      return await this.takeBytes(await fetcher.fetch(url), url);
    } catch (error) {
      if (error instanceof ImageUnavailableError || error instanceof ImageRejectedError) {
        return { reason: error.message };
      }
      throw error;
    }
  }

  /** Takes an image; of a drawing, the bitmap that is made of it. */
  private async takeBytes(written: Buffer, origin: string | undefined, exportedAs?: string): Promise<Taken> {
    const { uploads, isDryRun } = this.parts;
    const bytes = await uploads.drawIfVector(written);
    const change = bytes === written ? describeStill(bytes) : 'is a drawing (SVG) and became a picture';
    const note = change === null ? {} : { note: change };
    if (isDryRun) return { address: await this.inspect(bytes, exportedAs), ...note };
    return { address: (await uploads.storeImage(bytes, exportedAs, origin)).url, ...note };
  }

  /** Returns the address of an image that is stored already; null for a new one that would pass every check. */
  private async inspect(bytes: Buffer, exportedAs?: string): Promise<string | null> {
    const { uploads } = this.parts;
    const stored = await uploads.findImage(bytes, exportedAs);
    if (stored === null) await uploads.inspectImage(bytes);
    return stored?.url ?? null;
  }
}

/** Says that an image moved, and moves no more; null for any other. */
function describeStill(bytes: Buffer): string | null {
  const format = findStilledFormat(bytes);
  return format === null ? null : `is an animated ${format} and became its first frame, which stands still`;
}

/** The name that `posts export` gave the file; any other means nothing. */
function exportedName({ origin }: PendingImage): string | undefined {
  return 'path' in origin ? basename(origin.path) : undefined;
}

/** Returns the place from which the image can be fetched again; undefined for one that is part of a text. */
function originOf({ origin }: PendingImage): string | undefined {
  return 'path' in origin ? origin.path : undefined;
}

function isElsewhere(image: PendingImage): image is PendingImage & { readonly origin: { readonly url: string } } {
  return 'url' in image.origin && !isDataAddress(image.origin.url);
}

async function readImage({ origin }: PendingImage): Promise<Buffer> {
  return 'path' in origin ? await readFile(origin.path) : (readDataImage(origin.url) ?? Buffer.alloc(0));
}
