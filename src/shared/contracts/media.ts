import { Documented } from './documented.js';

/** An image that was uploaded, as `POST /api/uploads` answers. */
export class UploadedImage {
  /**
   * `/media/...`, as `image_url` of a post or as `src` in its text has it, wherever browsers read images.
   * @example "/media/…"
   */
  readonly url: string;

  /** Pixels, upright, as stored. */
  readonly width: number;

  /** Pixels, upright, as stored. */
  readonly height: number;

  /** File name under which it is stored. */
  readonly name: string;

  /** Bytes of all its renditions together. */
  readonly bytes: number;

  /** False when the same image was here already. */
  readonly isNew: boolean;
}

/** The text of a post that shows an image: the saved post, its working copy, or an earlier version. */
export type PostUseKind = 'post' | 'working-copy' | 'revision';

/** Facts of the company that show an image: those on pages, those of the draft, or those of an earlier version. */
export type CompanyUseKind = 'company' | 'company-draft' | 'company-version';

/** Texts of a page that link to an image: those that are published, those of the draft, or those of an earlier version. */
export type PagesUseKind = 'pages' | 'pages-draft' | 'pages-version';

/** See {@link PostUseKind}, {@link CompanyUseKind} and {@link PagesUseKind}. */
export type MediaUseKind = PostUseKind | CompanyUseKind | PagesUseKind;

/** A use of an image, in a post, as a picture of the company or in the text of a page. */
export class MediaUse {
  /** Null for a picture of the company, and for a page. */
  @Documented({ format: 'uuid' })
  readonly post_id: string | null;

  /** The title of the post, or the name of the fact or the page. */
  readonly title: string;

  /** The text of the post that shows it: the saved one, its working copy, or an earlier version; the same of the company and of pages. */
  readonly kind: MediaUseKind;
}

/** An image in the list of all media. */
export class MediaItem {
  /** 32 hexadecimal digits. */
  readonly id: string;

  readonly url: string;

  readonly name: string;

  /** The name of the file that was uploaded; null of images stored before version 0.2. */
  readonly file_name: string | null;

  /** The alternative text that is offered where the image is added next; empty until somebody wrote one. */
  readonly alt: string;

  /** Address of a small rendition. */
  readonly thumbnail: string;

  /** Pixels. */
  readonly width: number;

  /** Pixels. */
  readonly height: number;

  /** Size of all renditions together. */
  readonly bytes: number;

  /** ISO 8601, UTC. */
  @Documented({ format: 'date-time' })
  readonly created_at: string;

  /** Empty when nothing shows it: then it may be removed. */
  readonly uses: MediaUse[];
}

/** The outcome of a replacement. */
export class ReplacedImage {
  /** The number of posts that were changed, also in the trash, and those of which only edits that wait showed the image. */
  readonly posts: number;

  /** The facts of the company that have it now, on pages or in the draft, by their names. */
  readonly company: string[];
}

/** Some images of the list of all media, as `GET /api/admin/media` answers: newest first. */
export class MediaPage {
  readonly items: MediaItem[];

  /** For `cursor` of the next request; null at the end. */
  readonly next_cursor: string | null;
}
