import { Transform } from 'class-transformer';
import { isISO8601, IsBoolean, IsOptional, Matches, ValidateBy, type ValidationOptions } from 'class-validator';
import { POST_LIMITS } from '../limits.js';

/**
 * What a person or an importer hands in to write a post: the single statement of the rules and messages of
 * specification section 5, for the editor's form, the API and the importers alike. Texts are trimmed; empty optional
 * ones become null.
 */
export class PostInput {
  @Trimmed()
  @MaxCharacters(POST_LIMITS.title, 'Title too long')
  @RequiredText('Title is required')
  title: string;

  @Trimmed()
  @MaxCharacters(POST_LIMITS.slug, 'Slug too long')
  @RequiredText('Slug is required')
  slug: string;

  @TrimmedOrNull()
  @IsOptional()
  @MaxCharacters(POST_LIMITS.excerpt, 'Excerpt too long')
  excerpt: string | null = null;

  /** HTML; it is sanitised before it is stored, and counts as missing when nothing visible is left then. */
  @Trimmed()
  @RequiredText('Content is required')
  content: string;

  @Trimmed()
  @MaxCharacters(POST_LIMITS.author, 'Author name too long')
  @RequiredText('Author is required')
  author: string;

  @TrimmedOrNull()
  @IsOptional()
  @MaxCharacters(POST_LIMITS.category, 'Category too long')
  category: string | null = null;

  /** A list or comma-separated text; trimmed, without empty ones and repetitions; null when none are left. */
  @Transform(({ value }) => toTags(value))
  @IsOptional()
  @ValidateBy({ name: 'tags', validator: { validate: isTextList } }, { message: 'Tags must be words' })
  @ValidateBy({ name: 'tagLengths', validator: { validate: areShortTags } }, { message: 'Tag too long' })
  tags: string[] | null = null;

  /** Address of an image of ours (`/media/...`) or elsewhere on the web. */
  @TrimmedOrNull()
  @IsOptional()
  @Matches(/^(?:\/media\/|https?:\/\/)\S+$/, { message: 'Image address is not valid' })
  image_url: string | null = null;

  /** Alternative text of the image; empty when it is decorative, null when nobody has said yet. */
  @Trimmed()
  @IsOptional()
  @MaxCharacters(POST_LIMITS.imageAlt, 'Alternative text too long')
  image_alt: string | null = null;

  /**
   * Publishes or unpublishes the post when it differs from what the post is at the version that is named; absent, and
   * as the post is already, it decides nothing.
   */
  @IsOptional()
  @IsBoolean({ message: 'Published must be yes or no' })
  is_published?: boolean;

  /** ISO 8601, chosen by hand; null leaves it to the first publication, absent leaves it as it is. */
  @IsOptional()
  @ValidateBy({ name: 'date', validator: { validate: isDate } }, { message: 'Published date is not a date' })
  published_date?: string | null;
}

/**
 * Tags from a list or from comma-separated text (specification section 5), null when there are none. Anything else
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

/** Length in characters as people and PostgreSQL count them, not in UTF-16 units. */
export function characterCount(text: string): number {
  return [...text].length;
}

/** A day of the calendar that every part of the product can hold. */
function isDate(value: unknown): boolean {
  if (!isISO8601(value, { strict: true })) return false;
  const year = new Date(value as string).getUTCFullYear();
  return year >= 1 && year <= 9999;
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function areShortTags(value: unknown): boolean {
  return !isTextList(value) || value.every((tag) => characterCount(tag) <= POST_LIMITS.tag);
}

function Trimmed(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));
}

function TrimmedOrNull(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() || null : value));
}

function RequiredText(message: string): PropertyDecorator {
  const validate = (value: unknown) => typeof value === 'string' && value !== '';
  return ValidateBy({ name: 'requiredText', validator: { validate } }, { message });
}

function MaxCharacters(limit: number, message: string, options?: ValidationOptions): PropertyDecorator {
  const validate = (value: unknown) => typeof value === 'string' && characterCount(value) <= limit;
  return ValidateBy({ name: 'maxCharacters', constraints: [limit], validator: { validate } }, { ...options, message });
}
