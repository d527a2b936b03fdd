import { Controller, Delete, Get, Header, HttpCode, Param, Query } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import { Admin } from '../http/admin.decorator.js';
import { CurrentUser, type SignedInUser } from '../http/signed-in-user.js';
import type { MediaPage } from '../shared/contracts/media.js';
import { MediaLibraryService } from './media-library.service.js';
import { MediaPageResponse } from './media.responses.js';

/** All images, for administrators. */
@Admin()
@ApiTags('media')
@Controller('api/admin/media')
export class MediaLibraryController {
  constructor(private readonly library: MediaLibraryService) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Every image, newest first, with the posts that show it' })
  @ApiQuery({ name: 'cursor', required: false, description: '`next_cursor` of the answer before' })
  @ApiQuery({ name: 'unused', required: false, enum: ['true'], description: 'only those that nothing shows' })
  @ApiQuery({ name: 'search', required: false, description: 'only those shown by posts with this in their title' })
  @ApiOkResponse({ type: MediaPageResponse })
  list(
    @CurrentUser() { id }: SignedInUser,
    @Query('cursor') cursor?: unknown,
    @Query('unused') unused?: unknown,
    @Query('search') search?: unknown,
  ): Promise<MediaPage> {
    return this.library.list(
      { kind: 'user', userId: id },
      { cursor: textOf(cursor), isUnused: unused === 'true', search: textOf(search) },
    );
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove an image that nothing shows' })
  @ApiNoContentResponse()
  @ApiNotFoundResponse({ description: '`image_not_found`' })
  @ApiConflictResponse({ description: '`image_in_use`: posts, drafts, unpublished changes or revisions show it' })
  async remove(@CurrentUser() { id: userId }: SignedInUser, @Param('id') id: string): Promise<void> {
    await this.library.remove({ kind: 'user', userId }, id);
  }
}

/** A parameter that is given twice is no text. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
