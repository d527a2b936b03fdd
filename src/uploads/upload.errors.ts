import {
  BadRequestException,
  ConflictException,
  HttpException,
  NotFoundException,
  PayloadTooLargeException,
  RequestTimeoutException,
  ServiceUnavailableException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import { DiskFullException, UnavailableException } from '../http/outage.errors.js';
import type { MediaUse, MediaUseKind } from '../shared/contracts/media.js';
import { GateFullError } from '../shared/gate.js';
import { ImageRejectedError, type ImageRejection } from './image-rejected.error.js';
import { StorageError, StorageFullError } from './storage/storage.js';

const STATUS: Record<ImageRejection, number> = {
  image_empty: 422,
  image_too_large: 413,
  image_unsupported: 415,
  image_damaged: 422,
  image_too_many_pixels: 422,
  image_too_slow: 422,
  image_too_heavy: 422,
  image_undecodable: 422,
};

/**
 * The answer to what went wrong with an image: one that is refused, whose reason is also that of the field `file`; a
 * storage that is away (503) or full (507); too many at once (503). Every other error stays what it is.
 */
export function toHttpError(error: unknown): unknown {
  if (error instanceof StorageFullError) return new DiskFullException(error);
  if (error instanceof GateFullError) return new UploadsBusyException();
  if (error instanceof StorageError) return new UnavailableException('storage_unavailable', error);
  if (!(error instanceof ImageRejectedError)) return error;
  const { code, message } = error;
  return new HttpException({ code, message, fields: { file: [message] } }, STATUS[code]);
}

/** Thrown when a text is saved that shows an image which was removed in the meantime. Nothing was saved. */
export class ImageGoneException extends ConflictException {
  constructor() {
    super({
      code: 'image_gone',
      message: 'An image of this post was removed from the media in the meantime: upload it again, or leave it out.',
    });
  }
}

/** Thrown for an image that is not there, or no longer. */
export class ImageNotFoundException extends NotFoundException {
  constructor() {
    super({ code: 'image_not_found', message: 'There is no such image any more.' });
  }
}

/** Thrown for words that were written over others than those that stand there now. Nothing was saved. */
export class ImageDescribedException extends ConflictException {
  /** @param alt the words that stand there, or null */
  constructor(alt: string | null) {
    const change = alt === null ? 'took the alternative text of this image away' : `described this image as “${alt}”`;
    super({
      code: 'image_described',
      message: `Meanwhile somebody ${change}. Save again to put your words in the place of theirs.`,
      alt: alt ?? '',
    });
  }
}

const PLACES: Record<MediaUseKind, string> = {
  post: 'the post',
  'working-copy': 'unpublished changes to',
  revision: 'an earlier version of',
  company: 'the facts of the company as',
  'company-draft': 'the draft of the company as',
  'company-version': 'an earlier version of the company as',
  pages: 'the text of the page',
  'pages-draft': 'the draft of the page',
  'pages-version': 'an earlier version of the page',
};

/** Thrown when an image is to be removed that a post shows; names where. */
export class ImageInUseException extends ConflictException {
  constructor(uses: readonly MediaUse[]) {
    const places = uses.map(({ kind, title }) => `${PLACES[kind]} “${title}”`);
    super({ code: 'image_in_use', message: `This image is shown in ${places.join(', ')}.`, uses });
  }
}

/** Thrown when too many uploads are under way, or this one had to wait for too long. Nothing was stored. */
export class UploadsBusyException extends ServiceUnavailableException {
  constructor() {
    super({ code: 'uploads_busy', message: 'Too many images are uploaded just now. Try again in a moment.' });
  }
}

/** Ends the work for a sender who hung up; nobody reads it. */
export class UploadAbandonedException extends RequestTimeoutException {
  constructor() {
    super({ code: 'upload_abandoned', message: 'The sender did not wait for the answer.' });
  }
}

/** Thrown for an upload of more than one file and a few fields. */
export class TooManyPartsException extends PayloadTooLargeException {
  constructor() {
    super({ code: 'too_many_parts', message: 'Send one image at a time, with few other fields.' });
  }
}

/** Thrown for a request that holds no upload. */
export class NoMultipartException extends UnsupportedMediaTypeException {
  constructor() {
    super({ code: 'multipart_expected', message: "Send the image as multipart/form-data, in a field named 'file'." });
  }
}

/** Thrown for an upload without a file. */
export class FileMissingException extends BadRequestException {
  constructor() {
    const message = 'Choose an image';
    super({ code: 'file_missing', message, fields: { file: [message] } });
  }
}

/** Thrown when an upload cannot be read to its end. */
export class UploadBrokenException extends BadRequestException {
  constructor(cause: unknown) {
    super({ code: 'upload_broken', message: 'The upload did not arrive whole: send it again.' }, { cause });
  }
}
