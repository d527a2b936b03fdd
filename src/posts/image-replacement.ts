import { showingFields } from '../shared/contracts/post-fields.js';
import { formatMediaName, type MediaName } from '../shared/media.js';
import { propertyOf } from './post-columns.js';
import type { PostChange } from './post-change.js';
import type { PostRow } from './post.entity.js';

/** Tags of images as the sanitizer writes them. */
const IMAGE = /<img [^>]*>/g;

/**
 * Returns the change of a post, and of edits that wait beside it, when one image takes the place of another; null for
 * none. Addresses are random, so they are found wherever they stand.
 */
export function replaceIn(row: PostRow, from: MediaName, to: MediaName): PostChange | null {
  const change: Record<string, unknown> = {};
  for (const name of showingFields) {
    const property = propertyOf(name);
    const text = row[property];
    const replaced = replaceInText(text, from, to);
    if (replaced !== text) change[property] = replaced;
  }
  const isPointLost = !isOfSameShape(from, to);
  if (isPointLost && change['imageUrl'] !== undefined && row.imageFocus) change['imageFocus'] = null;
  const copy = row.workingCopy;
  const fields = { ...copy?.fields };
  for (const name of showingFields) fields[name] = replaceInText(fields[name], from, to) ?? '';
  if (isPointLost && fields.image_url !== (copy?.fields.image_url ?? '')) fields.image_focus = '';
  const isCopyChanged = showingFields.some((name) => fields[name] !== (copy?.fields[name] ?? ''));
  if (copy && isCopyChanged)
    change['workingCopy'] = { ...copy, fields: { ...copy.fields, ...definedOf(fields, copy.fields) } };
  return Object.keys(change).length === 0 ? null : change;
}

/** Proportions that differ by less have the same thing at the same point. */
const TOLERANCE = 0.02;

/** Returns true when one image has the proportions of the other, as a new version of the same picture mostly does. */
function isOfSameShape(a: MediaName, b: MediaName): boolean {
  return Math.abs((a.width * b.height) / (a.height * b.width) - 1) < TOLERANCE;
}

/** Fields that the copy has: one that it lacks is as it was, and stays away. */
function definedOf(fields: object, of: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name in of));
}

/** Replaces an image in HTML or in an address. A picture keeps the width that somebody gave it, and gets its own height. */
export function replaceInText<Text extends string | null | undefined>(
  text: Text,
  from: MediaName,
  to: MediaName,
): Text {
  if (!text?.includes(from.id)) return text;
  // A text may name one of the renditions.
  const names = new RegExp(`${from.id}-\\d+x\\d+a?(?:-\\d+)?\\.[a-z]+`, 'g');
  const sized = text.replace(IMAGE, (tag) => (tag.includes(from.id) ? resize(tag, from, to) : tag));
  return sized.replace(names, formatMediaName(to)) as Text;
}

function resize(tag: string, from: MediaName, to: MediaName): string {
  const written = Number(/ width="(\d+)"/.exec(tag)?.[1] ?? Number.NaN);
  if (Number.isNaN(written)) return tag.replace(/ height="\d+"/, '');
  const width = written === from.width ? to.width : written;
  const height = Math.max(1, Math.round((width * to.height) / to.width));
  return tag.replace(/ width="\d+"/, ` width="${width}"`).replace(/ height="\d+"/, ` height="${height}"`);
}
