import { ArrayMaxSize, IsArray, IsString, MaxLength } from 'class-validator';
import { LINKS_MAX, type LinkState } from '../link-state.js';

/** Paths of this site that a post links to, with the place on the page if one is named (`/blogs/tips#costs`). */
export class LinkCheckInput {
  @IsArray({ message: 'The paths are missing' })
  @ArrayMaxSize(LINKS_MAX, { message: `At most ${LINKS_MAX} paths at once` })
  @IsString({ each: true, message: 'A path is a text' })
  @MaxLength(2000, { each: true, message: 'A path is too long' })
  paths: string[];
}

/** A path, and what it leads to. */
export class CheckedLink {
  readonly path: string;

  readonly state: LinkState;
}

/** Paths, and what they lead to. */
export class LinkCheckResult {
  readonly links: CheckedLink[];
}
