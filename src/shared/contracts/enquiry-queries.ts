import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min, ValidateIf } from 'class-validator';
import { ENQUIRY_TEXT_LIMITS } from '../limits.js';
import { Documented } from './documented.js';
import {
  ENQUIRY_DELIVERIES,
  ENQUIRY_STATES,
  NO_ASSIGNEE,
  type EnquiryDelivery,
  type EnquiryState,
} from './enquiries.js';
import { MayBeLeftOut } from './may-be-left-out.js';

const LIMIT = { message: 'The limit is 1 to 100.' };
const SEARCH_LENGTH = 200;
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** A part of the enquiries. Of a parameter that is there several times, the first counts. */
export class EnquiryFilterQuery {
  /** In name, address or message. */
  @FirstText((text) => text?.slice(0, SEARCH_LENGTH))
  @IsOptional()
  @IsString()
  search?: string;

  @FirstText()
  @IsOptional()
  @IsIn(ENQUIRY_STATES, { message: `The state is one of ${ENQUIRY_STATES.join(', ')}.` })
  state?: EnquiryState;

  /** Id of an administrator, or `none`. */
  @FirstText()
  @IsOptional()
  @Matches(new RegExp(`^${NO_ASSIGNEE}$|${UUID.source}`, 'i'), { message: 'The assignee is an id, or none.' })
  assignee?: string;

  @FirstText()
  @IsOptional()
  @IsIn(ENQUIRY_DELIVERIES, { message: `The delivery is one of ${ENQUIRY_DELIVERIES.join(', ')}.` })
  delivery?: EnquiryDelivery;
}

/** States that an administrator gives; an enquiry is new only until somebody opens it. */
const CHOSEN_STATES = ['open', 'answered', 'closed', 'spam'] as const;
/** See {@link ChangeEnquiryInput}. */
export type ChosenState = (typeof CHOSEN_STATES)[number];

/** The enquiries that are wanted. */
export class EnquiryQuery extends EnquiryFilterQuery {
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

/** The kind of file that enquiries are exported to, and which of them. */
export class EnquiryExportQuery extends EnquiryFilterQuery {
  @IsIn(['csv', 'json'], { message: 'The format is csv or json.' })
  @Documented({ required: false })
  format: 'csv' | 'json' = 'csv';
}

/** A change of an enquiry by an administrator: what is left out stays. */
export class ChangeEnquiryInput {
  /** The version that the change starts from. */
  @IsInt({ message: 'The version is a whole number.' })
  version: number;

  @MayBeLeftOut()
  @IsIn(CHOSEN_STATES, { message: `The state is one of ${CHOSEN_STATES.join(', ')}.` })
  state?: ChosenState;

  /** Id of an administrator; null for nobody. */
  @ValidateIf((_, value) => value !== undefined && value !== null)
  @Matches(UUID, { message: 'The assignee is the id of an administrator.' })
  @Documented({ format: 'uuid' })
  assignee_id?: string | null;

  @MayBeLeftOut()
  @IsString({ message: 'The note is a text.' })
  @MaxLength(ENQUIRY_TEXT_LIMITS.note, {
    message: `The note is too long: please keep it under ${ENQUIRY_TEXT_LIMITS.note} characters.`,
  })
  note?: string;
}

/** An answer to an enquiry. Its id is in the address. */
export class EnquiryAnswerInput {
  /** The version of the enquiry that its writer saw. */
  @IsInt({ message: 'The version is a whole number.' })
  version: number;

  /** Plain text. */
  @IsString({ message: 'The answer is a text.' })
  @Matches(/\S/, { message: 'The answer is empty.' })
  @MaxLength(ENQUIRY_TEXT_LIMITS.answer, {
    message: `The answer is too long: please keep it under ${ENQUIRY_TEXT_LIMITS.answer} characters.`,
  })
  text: string;
}

/** A text to begin answers with. Its id is in the address. */
export class SavedAnswerInput {
  /** The version that the change starts from; 0 for a new one. */
  @IsInt({ message: 'The version is a whole number.' })
  version: number;

  @IsString({ message: 'The name is a text.' })
  @Matches(/\S/, { message: 'A name is needed.' })
  @MaxLength(ENQUIRY_TEXT_LIMITS.savedAnswerName, {
    message: `The name is too long: please keep it under ${ENQUIRY_TEXT_LIMITS.savedAnswerName} characters.`,
  })
  name: string;

  @IsString({ message: 'The text is a text.' })
  @Matches(/\S/, { message: 'The text is empty.' })
  @MaxLength(ENQUIRY_TEXT_LIMITS.answer, {
    message: `The text is too long: please keep it under ${ENQUIRY_TEXT_LIMITS.answer} characters.`,
  })
  text: string;
}

function FirstText(read: (text: string | undefined) => unknown = (text) => text): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => {
    const first: unknown = [value].flat()[0];
    return read(typeof first === 'string' && first !== '' ? first : undefined);
  });
}
