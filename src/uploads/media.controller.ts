import { Readable } from 'node:stream';
import {
  Controller,
  Get,
  Headers,
  HttpException,
  NotFoundException,
  Param,
  Req,
  Res,
  StreamableFile,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FOR_OTHER_SITES } from '../http/security-headers.js';
import { Public } from '../http/public.decorator.js';
import { contentTypeOf, MEDIA_CACHE_CONTROL, parseMediaName } from '../shared/media.js';
import { contentTypeOfFile, parsePlayableName } from '../shared/media-files.js';
import { PlayableFilesService } from './playable-files.service.js';
import { parseByteRange, RangeNotSatisfiableError } from './storage/byte-range.js';
import type { StoredFile } from './storage/storage.js';
import { toHttpError } from './upload.errors.js';
import { UploadsService } from './uploads.service.js';

/** Hands stored files out, from whichever storage they are in: renditions whole, sound and films in parts. */
@ApiExcludeController()
@Controller('media')
export class MediaController {
  constructor(
    private readonly uploads: UploadsService,
    private readonly playable: PlayableFilesService,
  ) {}

  /** @throws HttpException 404; 416; 503 while the storage is away */
  @Public()
  @Get(':name')
  async file(
    @Param('name') name: string,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    if (parsePlayableName(name) !== null) return await this.part(name, request, reply);
    const media = parseMediaName(name);
    if (media === null) throw new NotFoundException();
    const etag = `"${name}"`;
    const isKnown = isCurrent(ifNoneMatch, etag);
    const file = await this.open(reply, (signal) =>
      // Nothing is read for an answer without a body.
      isKnown || request.method === 'HEAD' ? this.bodiless(name) : this.uploads.openRendition(name, signal),
    );
    if (file === null) throw new NotFoundException();

    reply.headers({ ...FOR_OTHER_SITES, etag, 'cache-control': MEDIA_CACHE_CONTROL });
    if (isKnown) {
      reply.status(304);
      return undefined;
    }
    return new StreamableFile(file.stream, { type: contentTypeOf(media.extension), length: file.size });
  }

  /** Answers with the part that a player asks for (RFC 9110, section 14), or with the whole file. */
  private async part(name: string, { headers, method }: FastifyRequest, reply: FastifyReply) {
    const etag = `"${name}"`;
    const isHead = method === 'HEAD';
    // A file never changes under its name: another tag is that of another file.
    const isForThis = headers['if-range'] === undefined || headers['if-range'] === etag;
    const range = isForThis && !isHead ? parseByteRange(headers.range) : null;
    const isKnown = isCurrent(headers['if-none-match'], etag);
    const file = await this.open(reply, (signal) =>
      // Nothing is read for an answer without a body.
      isHead || isKnown ? this.bodiless(name) : this.playable.open(name, signal, range),
    );
    if (file === null) throw new NotFoundException();
    const common = { ...FOR_OTHER_SITES, etag, 'accept-ranges': 'bytes', 'cache-control': MEDIA_CACHE_CONTROL };
    reply.headers(common);
    if (isKnown) {
      reply.status(304);
      return undefined;
    }
    if (file.part !== undefined) {
      const { start, total } = file.part;
      reply.status(206).header('content-range', `bytes ${start}-${start + file.size - 1}/${total}`);
    }
    return new StreamableFile(file.stream, { type: contentTypeOfFile(name), length: file.size });
  }

  private async bodiless(name: string): Promise<StoredFile | null> {
    const size = await this.uploads.sizeOf(name);
    return size === null ? null : { stream: Readable.from([]), size };
  }

  /** Opens a file; stops waiting, and releases the connection to the bucket, when the visitor has gone. */
  private async open(
    reply: FastifyReply,
    find: (signal: AbortSignal) => Promise<StoredFile | null>,
  ): Promise<StoredFile | null> {
    const { raw } = reply;
    const leaving = new AbortController();
    const leave = () => leaving.abort();
    raw.once('close', leave);
    try {
      return await find(leaving.signal);
    } catch (error) {
      if (!(error instanceof RangeNotSatisfiableError)) throw toHttpError(error);
      reply.headers({ ...FOR_OTHER_SITES, 'content-range': `bytes */${error.total}` });
      throw new HttpException({ code: 'range_not_satisfiable', message: 'The file ends before that.' }, 416);
    } finally {
      raw.off('close', leave);
    }
  }
}

/** RFC 9110, section 13.1.2: any of the listed tags, compared weakly. */
function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
