import { Transform } from 'class-transformer';
import { IsIn, IsOptional, IsString } from 'class-validator';

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

  /** Only those shown by posts with this in their title. */
  @TrimmedText()
  @IsOptional()
  @IsString()
  search?: string;
}

function TrimmedText(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : undefined));
}
