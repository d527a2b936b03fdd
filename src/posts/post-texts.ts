import type { PostForm, StoredPostForm } from '../shared/contracts/admin-posts.js';
import {
  fieldNames,
  mapFields,
  showingFields,
  specOf,
  type FormTexts,
  type PostField,
  type PostTexts,
} from '../shared/contracts/post-fields.js';
import { isImageAddress, isWebAddress, readPoint, toTags } from '../shared/contracts/post-input.js';
import { findFileNames } from '../shared/media-files.js';
import { propertyOf, type PropertyOf } from './post-columns.js';
import type { PostRow } from './post.entity.js';

/** The columns of a row that hold these fields. */
export type TextColumns<Name extends PostField = PostField> = Pick<PostRow, PropertyOf<Name>>;

/** The fields of a row as the API presents them. */
export function readTexts<Name extends PostField>(row: TextColumns<Name>, names: readonly Name[]): PostTexts<Name> {
  const values: Partial<Record<string, unknown>> = row;
  return mapFields(names, (name) => values[propertyOf(name)] ?? null);
}

/** Columns to write for fields; those that are absent stay as they are. */
export function toColumns(texts: { readonly [Name in PostField]?: PostTexts[Name] | undefined }): Partial<TextColumns> {
  const given = fieldNames((_spec, name) => texts[name] !== undefined);
  return Object.fromEntries(given.map((name) => [propertyOf(name), texts[name]]));
}

/** The fields of a row as the form of the editor holds them. */
export function toFormTexts(row: TextColumns): FormTexts {
  const texts = readTexts(row, fieldNames());
  return mapFields(fieldNames(), (name, { isEmptyMeaningful }) => {
    const value = texts[name];
    if (value === null) return isEmptyMeaningful ? null : '';
    return typeof value === 'string' ? value : value.join(', ');
  });
}

/**
 * Columns for a form that nobody has checked, to be shown as it is: what could not be saved is left out. Its HTML was
 * sanitized when it was kept.
 */
export function toUncheckedColumns(form: FormTexts): TextColumns {
  return toColumns(
    mapFields(fieldNames(), (name) => {
      const value = form[name];
      return value === null ? null : toUncheckedValue(name, value);
    }),
  ) as TextColumns;
}

function toUncheckedValue(name: PostField, value: string): unknown {
  const { kind, isRequired, isEmptyMeaningful } = specOf(name);
  switch (kind) {
    case 'html':
      return value;
    case 'words':
      return toTags(value);
    case 'image':
      return isImageAddress(value) ? value : null;
    case 'address':
      return isWebAddress(value.trim()) ? value.trim() : null;
    case 'point':
      return readPoint(value) === null ? null : value;
    case 'text':
      return isRequired || isEmptyMeaningful ? value.trim() : value.trim() || null;
  }
}

/**
 * A stored form with all fields and nothing else: one that it lacks, as the release that wrote it did not know the field,
 * is as it was.
 */
export function completeForm(stored: StoredPostForm, was: PostForm): PostForm {
  return mapFields(fieldNames(), (name) => (stored[name] === undefined ? was[name] : stored[name]));
}

/** The names of the stored files that a row shows, plays or links to. */
export function findImagesOfRow(row: Partial<TextColumns>): string[] {
  return findFileNames(...showingFields.map((name) => row[propertyOf(name)]));
}

/** The names of the stored files that a form shows, plays or links to. */
export function findImagesOfForm(form: StoredPostForm | undefined): string[] {
  return findFileNames(...showingFields.map((name) => form?.[name]));
}
