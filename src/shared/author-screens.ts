import { paths } from './paths.js';
import { START_PATH } from './start-path.js';

/** The screens that authors open besides the start page, with what is below them. All others are for administrators. */
const AUTHOR_AREAS: readonly string[] = [paths.admin.blogs, paths.admin.comments, paths.admin.media, paths.admin.reads];

/** Returns true for a screen of the admin area that authors open too. The server decides what they see there. */
export function isForAuthors(pathname: string): boolean {
  const path = pathname.replace(/([^/])\/+$/, '$1');
  return path === START_PATH || AUTHOR_AREAS.some((area) => path === area || path.startsWith(`${area}/`));
}
