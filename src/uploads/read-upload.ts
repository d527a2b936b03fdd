import type { Multipart } from '@fastify/multipart';
import { HttpException } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { whileArriving } from '../http/request-arrival.js';
import { IMAGE_MAX_BYTES } from '../shared/limits.js';
import { cleanFileName } from './clean-file-name.js';
import { ImageRejectedError } from './image-rejected.error.js';
import {
  FileMissingException,
  NoMultipartException,
  TooManyPartsException,
  UploadBrokenException,
} from './upload.errors.js';

/** Name of the field that holds the file. */
export const FILE_FIELD = 'file';

/** Bytes that an upload may have beside the file: headers of its parts, and unknown fields. */
const OVERHEAD_BYTES = 64 * 1024;

/** Nothing but the one file; what fields come along is not kept. */
const LIMITS = {
  files: 1,
  fields: 10,
  parts: 11,
  fieldSize: 1024,
  headerPairs: 20,
  // Counted below, where the reading can be ended.
  fileSize: IMAGE_MAX_BYTES * 2,
} as const;

/** The file of an upload. */
export interface UploadedFile {
  readonly bytes: Buffer;
  /** Its name at its sender, in one line; undefined where the sender does not say. */
  readonly fileName: string | undefined;
}

/**
 * The file of an upload, of which never more than the largest accepted image is held in memory or waited for.
 * @throws ImageRejectedError for a file that is too large
 * @throws HttpException for anything that is no upload, and SlowRequestException for one that does not come
 */
export async function readUpload(request: FastifyRequest): Promise<UploadedFile> {
  if (!request.isMultipart()) throw new NoMultipartException();
  // Refused before a byte was read, and read to its end by the server, so that the sender hears the answer.
  if (Number(request.headers['content-length']) > IMAGE_MAX_BYTES + OVERHEAD_BYTES) throw tooLarge();
  try {
    return await whileArriving(request.raw, readParts(request));
  } catch (error) {
    // The rest of the request is read and discarded.
    request.raw.unpipe();
    request.raw.resume();
    if (error instanceof ImageRejectedError || error instanceof HttpException) throw error;
    // Counted by the reader of parts.
    if ((error as { statusCode?: unknown }).statusCode === 413) throw new TooManyPartsException();
    throw new UploadBrokenException(error);
  }
}

async function readParts(request: FastifyRequest): Promise<UploadedFile> {
  let file: UploadedFile | undefined;
  for await (const part of request.parts({ limits: LIMITS })) file = (await readPart(part)) ?? file;
  if (file === undefined) throw new FileMissingException();
  return file;
}

async function readPart(part: Multipart): Promise<UploadedFile | undefined> {
  if (part.type === 'field') return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of part.file as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size >= IMAGE_MAX_BYTES) throw tooLarge();
    if (part.fieldname === FILE_FIELD) chunks.push(chunk);
  }
  return part.fieldname === FILE_FIELD
    ? { bytes: Buffer.concat(chunks), fileName: toFileName(part.filename) }
    : undefined;
}

function tooLarge(): ImageRejectedError {
  return new ImageRejectedError('image_too_large', 'Image must be less than 5MB');
}

/** Signs that would end a name are written so by browsers, and no others (the HTML standard, multipart/form-data). */
const ESCAPED = { '%22': '"', '%0D': '\r', '%0A': '\n' } as const;

/** Some senders name the folder too. */
function toFileName(sent: string | undefined): string | undefined {
  const name = (sent ?? '').replace(/%22|%0D|%0A/g, (sign) => ESCAPED[sign as keyof typeof ESCAPED]);
  return cleanFileName(name.replace(/^.*[\\/]/s, '')) || undefined;
}
