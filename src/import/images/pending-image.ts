import type { PlayableFile } from '../../uploads/playable-files.service.js';

/** Location of an image's bytes: a file, or an address with http, https or data. */
export type ImageOrigin = { readonly path: string } | { readonly url: string };

/** An image of a post that is still to be taken. */
export interface PendingImage {
  /** The address that stands for it in the text until it is taken. */
  readonly placeholder: string;
  /** As the post names it, shortened, for reports. */
  readonly written: string;
  /** Identifies the contents without fetching them: by the hash of a file's bytes, or by the address. */
  readonly identity: string;
  readonly origin: ImageOrigin;
}

/** Sound, a film or captions of a post, looked at, and still to be stored. */
export interface PendingFile {
  /** The address that stands for it in the text until it is stored. */
  readonly placeholder: string;
  readonly file: PlayableFile;
}

const PLACEHOLDER = '/media/pending-';

/** The placeholder of the image of that number. */
export function placeholderOf(index: number): string {
  return `${PLACEHOLDER}${index}`;
}
