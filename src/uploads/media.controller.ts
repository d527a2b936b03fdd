import { Controller, Get, Headers, NotFoundException, Param, Res, StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../http/public.decorator.js';
import { contentTypeOf, MEDIA_CACHE_CONTROL, parseMediaName } from '../shared/media.js';
import { UploadsService } from './uploads.service.js';

/** Hands renditions out, from whichever storage they are in. */
@ApiExcludeController()
@Controller('media')
export class MediaController {
  constructor(private readonly uploads: UploadsService) {}

  @Public()
  @Get(':name')
  async rendition(
    @Param('name') name: string,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    const media = parseMediaName(name);
    const file = media === null ? null : await this.uploads.openRendition(name);
    if (media === null || file === null) throw new NotFoundException();

    const etag = `"${name}"`;
    reply.headers({ etag, 'cache-control': MEDIA_CACHE_CONTROL });
    if (isCurrent(ifNoneMatch, etag)) {
      file.stream.destroy();
      reply.status(304);
      return undefined;
    }
    return new StreamableFile(file.stream, { type: contentTypeOf(media.extension), length: file.size });
  }
}

/** RFC 9110, section 13.1.2: any of the listed tags, compared weakly. */
function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
