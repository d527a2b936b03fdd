/** An image that was uploaded, as `POST /api/uploads` answers. */
export interface UploadedImage {
  /** `/media/...`, as posts store it, wherever browsers read images. */
  readonly url: string;
  /** Pixels, upright, as stored. */
  readonly width: number;
  readonly height: number;
  /** File name under which it is stored. */
  readonly name: string;
  /** Bytes of all its renditions together. */
  readonly bytes: number;
  /** False when the same image was here already. */
  readonly isNew: boolean;
}

/** The text of a post that shows an image: the saved post, its working copy, or an earlier version. */
export type MediaUseKind = 'post' | 'working-copy' | 'revision';

/** A use of an image in a post. */
export interface MediaUse {
  readonly post_id: string;
  readonly title: string;
  readonly kind: MediaUseKind;
}

/** An image in the list of all media. */
export interface MediaItem {
  /** 32 hexadecimal digits. */
  readonly id: string;
  readonly url: string;
  readonly name: string;
  /** Address of a small rendition. */
  readonly thumbnail: string;
  readonly width: number;
  readonly height: number;
  /** Size of all renditions together. */
  readonly bytes: number;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** Empty when nothing shows it: then it may be removed. */
  readonly uses: readonly MediaUse[];
}

/** Some images of the list of all media, as `GET /api/admin/media` answers: newest first. */
export interface MediaPage {
  readonly items: readonly MediaItem[];
  /** For `cursor` of the next request; null at the end. */
  readonly next_cursor: string | null;
}
