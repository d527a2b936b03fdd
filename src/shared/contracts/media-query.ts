import { Transform } from 'class-transformer';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { ALTERNATIVE_TEXT_MAX } from '../limits.js';
import { MayBeLeftOut } from './may-be-left-out.js';

/** The words that belong to an image, wherever it is shown. */
export class DescribeImageInput {
  /** Offered where the image is added next; empty for none. Posts that show it keep their own. */
  @IsString({ message: 'The alternative text is missing' })
  @MaxLength(ALTERNATIVE_TEXT_MAX, { message: 'Alternative text too long' })
  alt: string;

  /** The words that `alt` was written over, as they were read; where others stand meanwhile, nothing is saved. */
  @MayBeLeftOut()
  @IsString({ message: 'The words before are no text' })
  @MaxLength(ALTERNATIVE_TEXT_MAX, { message: 'The words before are too long' })
  before?: string;
}

/** One image that is to be shown instead of another. */
export class ReplaceImageInput {
  /** `/media/...` */
  @IsString({ message: 'The address is missing' })
  @MaxLength(200, { message: 'The address is too long' })
  from: string;

  /** `/media/...` */
  @IsString({ message: 'The address is missing' })
  @MaxLength(200, { message: 'The address is too long' })
  to: string;
}

/** The images that are wanted. A parameter that is empty, or there twice, narrows nothing. */
export class MediaQuery {
  /** `next_cursor` of the answer before. */
  @TrimmedText()
  @IsOptional()
  @IsString()
  cursor?: string;

  /** Only those that nothing shows. */
  @Transform(({ value }: { value: unknown }) => (value === 'true' ? value : undefined))
  @IsOptional()
  @IsIn(['true'])
  unused?: 'true';

  /** Only those with this in the name of their file, in their alternative text, or in the title of a post that shows them. */
  @TrimmedText()
  @IsOptional()
  @IsString()
  search?: string;
}

function TrimmedText(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : undefined));
}
