import { Controller, Get, Headers, NotFoundException, Param, Res, StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { FOR_OTHER_SITES } from '../http/security-headers.js';
import { Public } from '../http/public.decorator.js';
import { contentTypeOf, MEDIA_CACHE_CONTROL, parseMediaName } from '../shared/media.js';
import type { StoredFile } from './storage/storage.js';
import { toHttpError } from './upload.errors.js';
import { UploadsService } from './uploads.service.js';

/** Hands renditions out, from whichever storage they are in. */
@ApiExcludeController()
@Controller('media')
export class MediaController {
  constructor(private readonly uploads: UploadsService) {}

  /** @throws HttpException 404; 503 while the storage is away */
  @Public()
  @Get(':name')
  async rendition(
    @Param('name') name: string,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    const media = parseMediaName(name);
    const file = media === null ? null : await this.open(name, reply);
    if (media === null || file === null) throw new NotFoundException();

    const etag = `"${name}"`;
    reply.headers({ ...FOR_OTHER_SITES, etag, 'cache-control': MEDIA_CACHE_CONTROL });
    if (isCurrent(ifNoneMatch, etag)) {
      file.stream.destroy();
      reply.status(304);
      return undefined;
    }
    return new StreamableFile(file.stream, { type: contentTypeOf(media.extension), length: file.size });
  }

  /** Opens a file; stops waiting, and releases the connection to the bucket, when the visitor has gone. */
  private async open(name: string, { raw }: FastifyReply): Promise<StoredFile | null> {
    const leaving = new AbortController();
    const leave = () => leaving.abort();
    raw.once('close', leave);
    try {
      return await this.uploads.openRendition(name, leaving.signal);
    } catch (error) {
      throw toHttpError(error);
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
