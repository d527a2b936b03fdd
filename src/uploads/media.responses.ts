import { ApiProperty } from '@nestjs/swagger';
import type { MediaItem, MediaPage, MediaUse, MediaUseKind, UploadedImage } from '../shared/contracts/media.js';
import { imageUseKinds } from './image-use.entity.js';

/** Documents {@link UploadedImage}. */
export class UploadedImageResponse implements UploadedImage {
  @ApiProperty({ description: 'address to use as `image_url` of a post or as `src` in its text', example: '/media/…' })
  readonly url: string;

  @ApiProperty({ description: 'pixels' })
  readonly width: number;

  @ApiProperty({ description: 'pixels' })
  readonly height: number;

  @ApiProperty({ description: 'file name under which it is stored' })
  readonly name: string;

  @ApiProperty({ description: 'of all renditions together' })
  readonly bytes: number;

  @ApiProperty({ description: 'false when the same image was here already' })
  readonly isNew: boolean;
}

class MediaUseResponse implements MediaUse {
  @ApiProperty({ format: 'uuid' })
  readonly post_id: string;

  @ApiProperty()
  readonly title: string;

  @ApiProperty({ enum: imageUseKinds })
  readonly kind: MediaUseKind;
}

class MediaItemResponse implements MediaItem {
  @ApiProperty()
  readonly id: string;

  @ApiProperty()
  readonly url: string;

  @ApiProperty()
  readonly name: string;

  @ApiProperty({ description: 'address of a small rendition' })
  readonly thumbnail: string;

  @ApiProperty({ description: 'pixels' })
  readonly width: number;

  @ApiProperty({ description: 'pixels' })
  readonly height: number;

  @ApiProperty({ description: 'of all renditions together' })
  readonly bytes: number;

  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;

  @ApiProperty({ type: [MediaUseResponse], description: 'empty when nothing shows it' })
  readonly uses: readonly MediaUseResponse[];
}

/** Documents {@link MediaPage}. */
export class MediaPageResponse implements MediaPage {
  @ApiProperty({ type: [MediaItemResponse] })
  readonly items: readonly MediaItemResponse[];

  @ApiProperty({ type: String, nullable: true, description: '`cursor` of the next request; null at the end' })
  readonly next_cursor: string | null;
}
