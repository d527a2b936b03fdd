import { Transform } from 'class-transformer';
import { IsString, MaxLength } from 'class-validator';
import { SEARCH_MAX } from '../limits.js';
import { DisplayDate } from './posts.js';

/** A piece of a text. */
export class MarkedText {
  readonly text: string;

  /** True for a word that was searched for. */
  readonly is_match: boolean;
}

/** A published post that a search found. */
export class SearchResult {
  readonly slug: string;

  /** The whole title, in pieces. */
  readonly title: MarkedText[];

  /** The excerpt, or the place of the text that has the words, in pieces. */
  readonly text: MarkedText[];

  readonly category: string | null;

  readonly author: string;

  readonly published: DisplayDate;
}

/** The posts that a search found, the best ones first. */
export class SearchAnswer {
  /** The words that were searched for, trimmed. */
  readonly query: string;

  readonly results: SearchResult[];

  /** True when there are more than these: another word narrows them. */
  readonly has_more: boolean;

  /** True when no post has these words, and these are posts whose titles have words like them. */
  readonly is_similar: boolean;
}

/** The words that somebody searches for. */
export class SearchInput {
  /** Words that a post has to have, in any form; those in quotation marks stand beside each other. */
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : ''))
  @IsString()
  @MaxLength(SEARCH_MAX, { message: `Search for ${SEARCH_MAX} characters at most` })
  q: string = '';
}
