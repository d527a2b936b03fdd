import { isRecord } from '../../shared/is-record.js';
import { MARKS, OPEN_MARKS, STATES, withSmallNames } from './front-matter-publication.js';
import type { FrontMatter } from './front-matter-values.js';

/** Fields about who can read a post; all else that a folder may say is not read. */
const PUBLICATION = new Set(
  'draft isdraft is_draft published publish password build _build publishdate expirydate permalink eleventyexcludefromcollections eleventycomputed'
    .split(' ')
    .concat(STATES, MARKS, OPEN_MARKS),
);

/** The fields of a folder that say who can read its posts. */
export function pickPublication(values: FrontMatter): FrontMatter {
  const { params } = values;
  const all = { ...(isRecord(params) ? withSmallNames(params) : {}), ...values };
  return Object.fromEntries(Object.entries(all).filter(([name]) => PUBLICATION.has(name)));
}
