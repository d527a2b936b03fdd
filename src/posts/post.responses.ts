import { ApiProperty } from '@nestjs/swagger';
import type { DisplayDate, Picture, PostDetail, PostSummary } from '../shared/contracts/posts.js';

class PictureSourceResponse {
  @ApiProperty({ example: 'image/avif' })
  readonly type: string;

  @ApiProperty({ description: 'a srcset attribute' })
  readonly srcset: string;
}

/** Documents {@link Picture}. */
export class PictureResponse implements Picture {
  @ApiProperty({ description: 'address of the rendition every browser can show' })
  readonly src: string;

  @ApiProperty()
  readonly width: number;

  @ApiProperty()
  readonly height: number;

  @ApiProperty({ type: [PictureSourceResponse] })
  readonly sources: readonly PictureSourceResponse[];
}

/** Documents {@link DisplayDate}. */
export class DisplayDateResponse implements DisplayDate {
  @ApiProperty({ format: 'date-time' })
  readonly iso: string;

  @ApiProperty({ example: 'Jan 5, 2025' })
  readonly short: string;

  @ApiProperty({ example: 'January 5, 2025' })
  readonly long: string;
}

/** Documents {@link PostSummary}. */
export class PostSummaryResponse implements PostSummary {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty()
  readonly slug: string;

  @ApiProperty()
  readonly title: string;

  @ApiProperty({ type: String, nullable: true })
  readonly excerpt: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly image_url: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'empty for an image that is decoration' })
  readonly image_alt: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly category: string | null;

  @ApiProperty({ type: [String], nullable: true })
  readonly tags: readonly string[] | null;

  @ApiProperty()
  readonly author: string;

  @ApiProperty({ format: 'date-time' })
  readonly published_date: string;

  @ApiProperty({ description: 'published_date in words, in the time zone of the site' })
  readonly published: DisplayDateResponse;

  @ApiProperty({ type: PictureResponse, nullable: true })
  readonly picture: PictureResponse | null;
}

/** Documents {@link PostDetail}. */
export class PostDetailResponse extends PostSummaryResponse implements PostDetail {
  @ApiProperty({ description: 'HTML that is safe to put into a page' })
  readonly content: string;

  @ApiProperty()
  readonly reading_minutes: number;

  @ApiProperty({ format: 'date-time' })
  readonly updated_at: string;
}
