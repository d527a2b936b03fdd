import { Body, Controller, Delete, Get, Header, HttpCode, Param, Put, Query, UsePipes } from '@nestjs/common';
import { ApiConflictResponse, ApiNoContentResponse, ApiNotFoundResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Admin } from '../http/admin.decorator.js';
import { Author } from '../http/author.decorator.js';
import { CurrentUser, type SignedInUser } from '../http/signed-in-user.js';
import { inputPipe } from '../http/input-pipe.js';
import { DescribeImageInput, MediaQuery } from '../shared/contracts/media-query.js';
import type { MediaPage } from '../shared/contracts/media.js';
import { MediaLibraryService } from './media-library.service.js';

/** All images, for administrators. */
@Admin()
@ApiTags('media')
@UsePipes(inputPipe())
@Controller('api/admin/media')
export class MediaLibraryController {
  constructor(private readonly library: MediaLibraryService) {}

  @Author()
  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary:
      'Every image, newest first, with the posts that show it; for authors, without what only posts of others show',
  })
  list(@CurrentUser() { id }: SignedInUser, @Query() query: MediaQuery): Promise<MediaPage> {
    return this.library.list({ kind: 'user', userId: id }, query);
  }

  @Put(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Write the alternative text that is offered where the image is added next' })
  @ApiNoContentResponse()
  @ApiNotFoundResponse({ description: '`image_not_found`' })
  @ApiConflictResponse({ description: '`image_described`: others than those of `before` stand there; `alt` has them' })
  async describe(
    @CurrentUser() { id: userId }: SignedInUser,
    @Param('id') id: string,
    @Body() input: DescribeImageInput,
  ): Promise<void> {
    await this.library.describe({ kind: 'user', userId }, id, input);
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
