import { Body, Controller, HttpCode, HttpException, Post, Res, UsePipes } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiOperation,
  ApiPayloadTooLargeResponse,
  ApiResponse,
  ApiServiceUnavailableResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnprocessableEntityResponse,
  ApiUnsupportedMediaTypeResponse,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Acting } from '../http/acting.decorator.js';
import { Author } from '../http/author.decorator.js';
import { inputPipe } from '../http/input-pipe.js';
import { toAnswerable } from '../http/outage.errors.js';
import type { Actor } from '../shared/actor.js';
import type { UploadedImage } from '../shared/contracts/media.js';
import { RemoteImageInput } from '../shared/contracts/remote-image.js';
import { toHttpError } from '../uploads/uploads.service.js';
import { RemoteImagesService } from './remote-images.service.js';

/** Takes images in from other sites. */
@Author()
@ApiTags('media')
@UsePipes(inputPipe())
@Controller('api/uploads')
export class RemoteImagesController {
  constructor(private readonly images: RemoteImagesService) {}

  @Post('remote')
  @HttpCode(201)
  @ApiOperation({
    summary: 'Fetch an image from another site and store it',
    description:
      'From the public internet only, redirects included. The address of an image of this site gives that image.',
  })
  @ApiBadRequestResponse({ description: '`validation_failed`: the address is none' })
  @ApiPayloadTooLargeResponse({ description: '`image_too_large`' })
  @ApiUnsupportedMediaTypeResponse({ description: '`image_unsupported`: by its content' })
  @ApiUnprocessableEntityResponse({
    description: '`image_unavailable`: with the reason; `image_damaged`, `image_empty`, `image_too_many_pixels`',
  })
  @ApiTooManyRequestsResponse({ description: '`over_image_limit`: more than 60 a minute for long' })
  @ApiServiceUnavailableResponse({ description: '`storage_unavailable`: nothing was stored; `Retry-After` says when' })
  @ApiResponse({ status: 507, description: '`disk_full`: nothing was stored' })
  async fetch(
    @Acting() actor: Actor,
    @Body() { url: address }: RemoteImageInput,
    @Res({ passthrough: true }) { raw }: FastifyReply,
  ): Promise<UploadedImage> {
    const leaving = new AbortController();
    const leave = () => leaving.abort(new HttpException({ code: 'request_abandoned', message: 'Nobody waits.' }, 408));
    raw.once('close', leave);
    try {
      const { url, width, height, name, bytes, isNew } = await this.images.take(actor, address, leaving.signal);
      return { url, width, height, name, bytes, isNew };
    } catch (error) {
      throw toAnswerable(toHttpError(error));
    } finally {
      raw.off('close', leave);
    }
  }
}
