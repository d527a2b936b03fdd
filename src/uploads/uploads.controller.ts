import { Controller, HttpException, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiOperation,
  ApiPayloadTooLargeResponse,
  ApiResponse,
  ApiServiceUnavailableResponse,
  ApiTags,
  ApiUnprocessableEntityResponse,
  ApiUnsupportedMediaTypeResponse,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Author } from '../http/author.decorator.js';
import { toAnswerable } from '../http/outage.errors.js';
import { Metrics } from '../metrics/metrics.js';
import type { UploadedImage } from '../shared/contracts/media.js';
import { FILE_FIELD } from './read-upload.js';
import { toHttpError } from './upload.errors.js';
import { UploadIntake } from './upload-intake.js';

/** Takes images in. */
@Author()
@ApiTags('media')
@Controller('api/uploads')
export class UploadsController {
  constructor(
    private readonly intake: UploadIntake,
    private readonly metrics: Metrics,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Upload an image: JPEG, PNG, GIF, WebP or AVIF, under 5 MB' })
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    schema: { type: 'object', required: [FILE_FIELD], properties: { file: { type: 'string', format: 'binary' } } },
  })
  @ApiPayloadTooLargeResponse({ description: '`image_too_large`' })
  @ApiUnsupportedMediaTypeResponse({
    description: '`image_unsupported`: by its content; `multipart_expected`; `encoding_unsupported`',
  })
  @ApiUnprocessableEntityResponse({
    description:
      '`image_damaged`, `image_empty`, `image_too_many_pixels`, `image_too_slow`, `image_too_heavy`, `image_undecodable`',
  })
  @ApiServiceUnavailableResponse({
    description: '`uploads_busy`, `storage_unavailable`: nothing was stored; `Retry-After` says when',
  })
  @ApiResponse({ status: 507, description: '`disk_full`: nothing was stored' })
  async upload(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UploadedImage> {
    try {
      const { url, width, height, name, bytes, isNew } = await this.intake.take(request, reply);
      this.metrics.uploads.add('accepted');
      return { url, width, height, name, bytes, isNew };
    } catch (error) {
      const answer = toAnswerable(toHttpError(error));
      this.metrics.uploads.add(codeOf(answer));
      throw answer;
    }
  }
}

function codeOf(error: unknown): string {
  const body = error instanceof HttpException ? error.getResponse() : {};
  return typeof body === 'object' && 'code' in body ? String(body.code) : 'other';
}
