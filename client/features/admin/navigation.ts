import { isForAuthors } from '../../../src/shared/author-screens.js';
import type { Role } from '../../../src/shared/contracts/roles.js';
import { START_PATH } from '../../../src/shared/start-path.js';
import { paths } from '../../../src/shared/paths.js';

/** An entry of the admin area's navigation. */
export interface AdminLink {
  readonly to: string;
  readonly label: string;
}

/** The areas of the admin area, in the order in which they stand. A new area adds its entry here. */
export const adminLinks: readonly AdminLink[] = [
  { to: START_PATH, label: 'Start' },
  { to: paths.admin.blogs, label: 'Posts' },
  { to: paths.admin.terms, label: 'Categories' },
  { to: paths.admin.comments, label: 'Comments' },
  { to: paths.admin.media, label: 'Media' },
  { to: paths.admin.links, label: 'Links' },
  { to: paths.admin.enquiries, label: 'Enquiries' },
  { to: paths.admin.pages, label: 'Pages' },
  { to: paths.admin.people, label: 'People' },
  { to: paths.admin.company, label: 'Company' },
  { to: paths.admin.audit, label: 'Activity' },
];

/** The areas of a role. Until it is known there are all of them, as for most who come: their names tell nothing. */
export function linksFor(role: Role | null): readonly AdminLink[] {
  return role === 'author' ? adminLinks.filter(({ to }) => isForAuthors(to)) : adminLinks;
}
