import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { Documented } from './documented.js';
import { ENQUIRY_STATES, type EnquiryState } from './enquiries.js';

const LIMIT = { message: 'The limit is 1 to 100.' };
const SEARCH_LENGTH = 200;

/** The enquiries that are wanted. Of a parameter that is there several times, the first counts. */
export class EnquiryQuery {
  /** In name, address or message. */
  @FirstText((text) => text?.slice(0, SEARCH_LENGTH))
  @IsOptional()
  @IsString()
  search?: string;

  @FirstText()
  @IsOptional()
  @IsIn(ENQUIRY_STATES, { message: `The state is one of ${ENQUIRY_STATES.join(', ')}.` })
  state?: EnquiryState;

  /** `next_cursor` of the page before. */
  @FirstText()
  @IsOptional()
  @IsString()
  cursor?: string;

  @FirstText((text) => (text === undefined ? 50 : Number(text)))
  @IsInt(LIMIT)
  @Min(1, LIMIT)
  @Max(100, LIMIT)
  @Documented({ required: false })
  limit: number = 50;
}

/** The kind of file that enquiries are exported to. */
export class EnquiryExportQuery {
  @IsIn(['csv', 'json'], { message: 'The format is csv or json.' })
  @Documented({ required: false })
  format: 'csv' | 'json' = 'csv';
}

function FirstText(read: (text: string | undefined) => unknown = (text) => text): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => {
    const first: unknown = [value].flat()[0];
    return read(typeof first === 'string' && first !== '' ? first : undefined);
  });
}
