import { Transform } from 'class-transformer';
import { isISO8601, IsBoolean, IsOptional, Matches, ValidateBy, type ValidationArguments } from 'class-validator';
import { cleanCharacters } from '../clean-characters.js';
import { parseUrl } from '../parse-url.js';
import { Documented } from './documented.js';
import { classOfFields } from './field-class.js';
import { inputField } from './field-schemas.js';
import { MayBeLeftOut } from './may-be-left-out.js';
import { fieldNames, type FieldValue, type FieldWith, type PostField, type PostFieldSpec } from './post-fields.js';

/** Addresses of images: ours, or elsewhere on the web. */
const IMAGE_ADDRESS = /^(?:\/media\/|https?:\/\/)\S+$/;

/** Addresses of pages on the web. */
const WEB_ADDRESS = /^https?:\/\/[^\s/?#]\S*$/;

/** A point of a picture, in whole percent from the left and from the top. */
const POINT = /^(100|\d{1,2})% (100|\d{1,2})%$/;

/** The fields of a post as they are handed in; one that is absent stays as it is, or is empty in a new post. */
export type PostInputTexts = {
  -readonly [Name in FieldWith<{ isRequired: true }>]: string;
} & {
  -readonly [Name in Exclude<PostField, FieldWith<{ isRequired: true }>>]?: Mutable<FieldValue<Name>>;
};

type Mutable<T> = T extends readonly string[] ? string[] : T;

/** Checks each field as its entry in {@link postFields} says. */
const CheckedTexts = classOfFields<PostInputTexts>(fieldNames(), (spec) => [inputField(spec), ...rulesOf(spec)]);

/**
 * Input for writing a post: the single statement of the rules and messages of product.md 5.3, for the editor's form,
 * the API and the importers alike. Texts are trimmed, and lose characters that neither HTML nor the database can hold; names
 * are composed; empty optional ones become null.
 */
export class PostInput extends CheckedTexts {
  /**
   * Publishes or unpublishes the post when it differs from what the post is at the version that is named; absent, and
   * as the post is already, it decides nothing.
   */
  @MayBeLeftOut()
  @IsBoolean({ message: 'Published must be yes or no' })
  is_published?: boolean;

  /** The date shown to readers, ISO 8601 with an offset; null leaves it to the first publication, absent leaves it as it is. */
  @IsOptional()
  @Documented({ type: 'string', format: 'date-time' })
  @IsPublishedDate()
  published_date?: string | null;
}

/** Checks a date shown to readers. */
export function IsPublishedDate(): PropertyDecorator {
  return IsMoment('Published date');
}

/** Checks a moment. It has an offset, as `date-time` of the API's document says: without one the zone of this machine would decide. */
export function IsMoment(noun: string): PropertyDecorator {
  const message = ({ value }: ValidationArguments) =>
    isDate(value) ? `${noun} needs an offset, as in 2026-01-31T09:00:00Z` : `${noun} is not a date`;
  const validate = (value: unknown) => isDate(value) && hasOffset(value);
  return ValidateBy({ name: 'date', validator: { validate } }, { message });
}

/**
 * Tags from a list or from comma-separated text (product.md 5.5), null when there are none. Anything else
 * comes back as it is, for validation to refuse.
 */
export function toTags(value: unknown): unknown {
  const parts: unknown = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(parts)) return parts ?? null;
  if (!isTextList(parts)) return parts;
  // The form shows tags with commas between them, so none can have one.
  const tags = [...new Set(parts.flatMap((part) => part.split(',')).map((tag) => tag.trim()))].filter(Boolean);
  return tags.length > 0 ? tags : null;
}

/** Returns true for the address of an image that posts can show. */
export function isImageAddress(text: string): boolean {
  return IMAGE_ADDRESS.test(text);
}

/** Returns true for the address of a page on the web. */
export function isWebAddress(text: string): boolean {
  return WEB_ADDRESS.test(text) && parseUrl(text) !== null;
}

/** Reads a point of a picture as percent from the left and from the top; null for what is none. */
export function readPoint(text: string): readonly [number, number] | null {
  const [, left, top] = POINT.exec(text) ?? [];
  return left === undefined ? null : [Number(left), Number(top)];
}

/** Length in characters as people and PostgreSQL count them, not in UTF-16 units. */
export function characterCount(text: string): number {
  return [...text].length;
}

/** A day of the calendar that every part of the product can hold. */
function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !isISO8601(value, { strict: true })) return false;
  const year = new Date(value).getUTCFullYear();
  return year >= 1 && year <= 9999;
}

function hasOffset(date: string): boolean {
  return /:.*(?:Z|[+-]\d\d:?\d\d)$/i.test(date);
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** The rules of a field. Of several that are broken, the first is told. */
function rulesOf(spec: PostFieldSpec): PropertyDecorator[] {
  const { kind, label, limit, noun = label, reserved, isRequired, isEmptyMeaningful, isName = false } = spec;
  if (kind === 'words') {
    const message = `${label} must be words`;
    const isList = ValidateBy({ name: 'words', validator: { validate: isTextList } }, { message });
    return [Cleaned(toTags, isName), IsOptional(), isList, ...shortWords(limit, noun)];
  }
  return [
    Cleaned(isRequired || isEmptyMeaningful ? trim : trimOrNull, isName),
    isRequired ? RequiredText(`${label} is required`) : IsOptional(),
    ...(limit === undefined ? [] : [MaxCharacters(limit, `${noun} too long`)]),
    ...(reserved === undefined ? [] : [NotReserved(reserved, `${label} is reserved`)]),
    ...rulesOfKind(kind, label),
  ];
}

/** The rules of a kind, whatever the field. A kind that has none is named all the same, so that a new one is not forgotten. */
function rulesOfKind(kind: PostFieldSpec['kind'], label: string): PropertyDecorator[] {
  switch (kind) {
    case 'image':
      return [Matches(IMAGE_ADDRESS, { message: 'Image address is not valid' })];
    case 'address':
      return [WebAddress(`${label} is not valid`)];
    case 'point':
      return [Matches(POINT, { message: `${label} is not valid` })];
    case 'text':
    case 'html':
    case 'words':
      return [];
  }
}

function shortWords(limit: number | undefined, noun: string): PropertyDecorator[] {
  if (limit === undefined) return [];
  const validate = (value: unknown) => !isTextList(value) || value.every((word) => characterCount(word) <= limit);
  return [ValidateBy({ name: 'wordLengths', validator: { validate } }, { message: `${noun} too long` })];
}

/** Reads a value without characters that cannot be kept, and the characters of names composed. */
function Cleaned(read: (value: unknown) => unknown, isName: boolean): PropertyDecorator {
  const clean = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== 'string') return value;
    return isName ? cleanCharacters(value).normalize('NFC') : cleanCharacters(value);
  };
  return Transform(({ value }: { value: unknown }) => read(clean(value)));
}

function trim(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}

function trimOrNull(value: unknown): unknown {
  return trim(value) === '' ? null : trim(value);
}

function RequiredText(message: string): PropertyDecorator {
  const validate = (value: unknown) => typeof value === 'string' && value !== '';
  return ValidateBy({ name: 'requiredText', validator: { validate } }, { message });
}

function WebAddress(message: string): PropertyDecorator {
  const validate = (value: unknown) => typeof value === 'string' && isWebAddress(value);
  return ValidateBy({ name: 'webAddress', validator: { validate } }, { message });
}

function NotReserved(reserved: readonly string[], message: string): PropertyDecorator {
  const validate = (value: unknown) => typeof value !== 'string' || !reserved.includes(value.toLowerCase());
  return ValidateBy({ name: 'notReserved', validator: { validate } }, { message });
}

function MaxCharacters(limit: number, message: string): PropertyDecorator {
  const validate = (value: unknown) => typeof value === 'string' && characterCount(value) <= limit;
  return ValidateBy({ name: 'maxCharacters', constraints: [limit], validator: { validate } }, { message });
}
