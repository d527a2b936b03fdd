import { IsBoolean, IsIn, IsString, MaxLength } from 'class-validator';
import { MayBeLeftOut } from './may-be-left-out.js';

/** Kinds of words that posts are sorted by. */
export const termKinds = ['category', 'tag'] as const;

/** A kind of words that posts are sorted by. */
export type TermKind = (typeof termKinds)[number];

/** A category, a tag or an author. */
export class Term {
  readonly name: string;

  /** The number of posts that have it, without those in the trash. */
  readonly count: number;
}

/** All categories, tags and authors of posts, in alphabetical order. */
export class TermLists {
  readonly categories: Term[];
  readonly tags: Term[];
  readonly authors: Term[];
}

/** Gives a category or a tag another name; one that is there takes its posts. */
export class RenameTermInput {
  @IsIn(termKinds, { message: `kind is one of ${termKinds.join(', ')}` })
  kind: TermKind;

  @IsString({ message: 'The name is missing' })
  @MaxLength(1000, { message: 'The name is too long' })
  from: string;

  /** The new name, by the rules of posts. */
  @IsString({ message: 'The new name is missing' })
  @MaxLength(1000, { message: 'The name is too long' })
  to: string;

  /** No for whoever knows of none that has the new name: where there is one meanwhile, nothing is changed. */
  @MayBeLeftOut()
  @IsBoolean({ message: 'may_merge is yes or no' })
  may_merge?: boolean;
}

/** The outcome of a renaming. */
export class RenamedTerm {
  /** The new name, as it is stored. */
  readonly name: string;

  /** The number of posts that were changed, also in the trash, and those of which only edits that wait had the name. */
  readonly changed: number;

  /** True when posts had the new name before. */
  readonly is_merged: boolean;
}
