import { Controller, Get, NotFoundException, Param, Res, StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../http/public.decorator.js';
import { FOR_OTHER_SITES } from '../http/security-headers.js';
import { MEDIA_CACHE_CONTROL } from '../shared/media.js';
import { parseShareImageName, SHARE_IMAGE_PATH } from '../shared/share-images.js';
import { ShareImagesService } from './share-images.service.js';

/** Hands drawn share images out. None is drawn on request. */
@ApiExcludeController()
@Controller(SHARE_IMAGE_PATH)
export class ShareImagesController {
  constructor(private readonly images: ShareImagesService) {}

  /** @throws HttpException 404 */
  @Public()
  @Get(':name')
  async image(
    @Param('name') name: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    const address = parseShareImageName(name);
    const found = address === null ? null : await this.images.find(address);
    if (found === null) throw new NotFoundException();
    reply.headers(FOR_OTHER_SITES);
    if ('location' in found) {
      reply.status(302).headers({ location: found.location, 'cache-control': 'no-cache' });
      return undefined;
    }
    reply.header('cache-control', MEDIA_CACHE_CONTROL);
    return new StreamableFile(found.png, { type: 'image/png', length: found.png.length });
  }
}
