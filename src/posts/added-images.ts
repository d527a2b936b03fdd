import { showingFields, specOf } from '../shared/contracts/post-fields.js';
import { findRemoteImages, isRemoteAddress, type OwnAddresses } from './content/remote-images.js';
import { propertyOf } from './post-columns.js';
import { PostInputError } from './post.errors.js';
import type { TextColumns } from './post-texts.js';

/** Addresses in messages are cut there. */
const MOST_SHOWN = 200;

/**
 * Refuses pictures of other sites that a save would add: browsers do not show them. Those that the post has, as from an
 * earlier version of the product, may stay.
 * @param row the post as it is saved; null for a new one
 * @throws PostInputError that names them
 */
export function assertOwnImages(
  row: Partial<TextColumns> | null,
  fields: Partial<TextColumns>,
  own: OwnAddresses,
): void {
  const known = new Set(showingFields.flatMap((name) => findRemote(name, row, own)));
  const problems = showingFields.flatMap((name) => {
    const added = findRemote(name, fields, own).filter((address) => !known.has(address));
    if (added.length === 0) return [];
    const addresses = added.map((address) => address.slice(0, MOST_SHOWN)).join(', ');
    return [
      { field: name, message: `Pictures of other sites are not shown. Upload them, or leave them out: ${addresses}` },
    ];
  });
  if (problems.length > 0) throw new PostInputError(problems);
}

/** The addresses of pictures on other sites in a field. */
function findRemote(
  name: (typeof showingFields)[number],
  texts: Partial<TextColumns> | null,
  own: OwnAddresses,
): readonly string[] {
  const value = texts?.[propertyOf(name)] ?? '';
  if (specOf(name).kind === 'html') return findRemoteImages(value, own);
  return isRemoteAddress(value, own) ? [value] : [];
}
