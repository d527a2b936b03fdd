import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { listedFields, readersFields, type PostTexts } from '../shared/contracts/post-fields.js';
import type { DisplayDate, Picture, PostDetail, PostSummary } from '../shared/contracts/posts.js';
import { presentedFields } from './field-docs.js';

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

/** Documents the parts of a post that lists and pages share. */
class PostResponse {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ format: 'date-time' })
  readonly published_date: string;

  @ApiProperty({ description: 'published_date in words, in the time zone of the site' })
  readonly published: DisplayDateResponse;

  @ApiProperty({ type: PictureResponse, nullable: true })
  readonly picture: PictureResponse | null;
}

type Listed = PostTexts<(typeof listedFields)[number]>;
type Shown = PostTexts<(typeof readersFields)[number]>;

/** Documents {@link PostSummary}. */
export class PostSummaryResponse
  extends IntersectionType(PostResponse, presentedFields<Listed>(listedFields))
  implements PostSummary {}

/** Documents {@link PostDetail}. */
export class PostDetailResponse
  extends IntersectionType(PostResponse, presentedFields<Shown>(readersFields))
  implements PostDetail
{
  @ApiProperty()
  readonly reading_minutes: number;

  @ApiProperty({ format: 'date-time' })
  readonly updated_at: string;
}
