import sharp from 'sharp';
import { EMPTY_FORM, type PostForm } from '../../src/shared/contracts/admin-posts.js';
import {
  fieldNames,
  mapFields,
  specOf,
  type PostField,
  type PostTexts,
} from '../../src/shared/contracts/post-fields.js';
import { UploadsService } from '../../src/uploads/uploads.service.js';
import type { TestApp } from './create-test-app.js';

let count = 0;

/** Makes up a value of a field that no other field and no other post has, as the form of the editor holds it. */
export async function makeUpValue(app: TestApp, name: PostField): Promise<string> {
  count += 1;
  const mark = `made${count}up`;
  switch (specOf(name).kind) {
    case 'image':
      return await storePicture(app, count);
    case 'html':
      return `<p>${mark}</p>`;
    case 'words':
      return `${mark}a, ${mark}b`;
    case 'address':
      return `https://example.com/${mark}`;
    case 'point':
      return `${count % 101}% ${Math.floor(count / 101) % 101}%`;
    case 'text':
      return mark;
  }
}

/**
 * Makes up a form that has something in every field.
 * @param given values that are not made up, such as images, which take longest
 */
export async function makeUpForm(app: TestApp, given: Partial<PostForm> = {}): Promise<PostForm> {
  const values: Partial<Record<PostField, string>> = {};
  for (const name of fieldNames()) values[name] = given[name] ?? (await makeUpValue(app, name));
  return { ...EMPTY_FORM, ...values };
}

/** The values of a form as they are presented once they are saved. */
export function toSaved(form: PostForm): PostTexts {
  return mapFields(fieldNames(), (name, { kind }) => (kind === 'words' ? form[name]?.split(', ') : form[name]));
}

/** The parts of a value that a page with it has somewhere in its HTML. */
export function marksOf(form: PostForm, name: PostField): string[] {
  const value = form[name] ?? '';
  switch (specOf(name).kind) {
    case 'image':
      return [/[0-9a-f]{32}/.exec(value)?.[0] ?? value];
    case 'html':
      return [value.replace(/<[^>]*>/g, '')];
    case 'words':
      return value.split(', ');
    case 'address':
    case 'point':
    case 'text':
      return [value];
  }
}

/** The fields that have other values here than there: the lost ones. */
export function lostFields(
  expected: object,
  found: object | null | undefined,
  names: readonly PostField[] = fieldNames(),
): PostField[] {
  const valueIn = (values: object | null | undefined, name: PostField) =>
    JSON.stringify(values && (values as Partial<Record<PostField, unknown>>)[name]);
  return names.filter((name) => valueIn(expected, name) !== valueIn(found, name));
}

async function storePicture(app: TestApp, shade: number): Promise<string> {
  const background = { r: shade % 256, g: (shade * 7) % 256, b: 90 };
  const picture = sharp({ create: { width: 40, height: 20, channels: 3, background } });
  return (await app.get(UploadsService).storeImage(await picture.png().toBuffer())).url;
}
