import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { transferredFields } from '../shared/contracts/post-fields.js';
import { propertyOf } from '../posts/post-columns.js';
import type { PostFields } from '../posts/post-preparation.js';
import type { ImportDraft } from './import-draft.js';
import type { ImportedPost } from './imported-posts.service.js';
import type { PendingImage } from './images/pending-image.js';
import {
  carryFingerprint,
  fingerprint,
  hasFields,
  isEdited,
  isFromSame,
  isGainingImages,
  isLackingImages,
} from './source-fingerprint.js';
import { namedFields, type SourcePost } from './source-post.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const fields: PostFields = {
  ...{ slug: 's', title: 'T', excerpt: 'E', content: '<p>c</p>', imageUrl: '/media/x.png', category: 'C' },
  ...{ tags: ['a', 'b'], author: 'A', publishedDate: new Date('2025-01-05T20:00:00Z') },
};

function draft(overrides: Partial<SourcePost> = {}): ImportDraft {
  const { slug, title, author } = fields;
  const post: SourcePost = {
    ...{ file: 's.md', itemKey: 's.md', slug, title, author, excerpt: 'E', category: 'C', tags: ['a', 'b'] },
    ...{ image: { address: 'x.png', alt: null }, date: new Date('2025-01-05T20:00:00Z'), isPublished: true },
    ...{ html: '<p>c</p>', folder: '.', baseUrl: null, oldPaths: ['/old'], warnings: [] },
    ...overrides,
  };
  return { post, sourceKey: 'markdown:site.example#s.md', fields, images: [], files: [], missing: [], warnings: [] };
}

const sourcePart = (of: ImportDraft) => fingerprint(of, of.fields, new Set()).slice(0, 16);
const fieldsPart = (of: PostFields) => fingerprint(draft(), of, new Set()).slice(32);

describe('fingerprint', () => {
  // These texts are what releases hashed. A change takes every post that was imported with them for changed or edited.
  const SOURCE =
    '[2,["T","s","E","A","C",["a","b"],"x.png",null,"<p>c</p>"],["2025-01-05T20:00:00.000Z",null,null,null],true,' +
    '[null,".",null,["/old"],null],[]]';
  const FIELDS = '["s","T","E","<p>c</p>","/media/x.png","C",["a","b"],"A","2025-01-05T20:00:00.000Z"]';

  it('is that of earlier releases for posts without the fields that came later', () => {
    const none = Object.fromEntries(namedFields.map((name) => [name, null]));
    for (const same of [draft(), draft({ named: none as never })]) {
      expect(sourcePart(same)).toBe(sha256(SOURCE).slice(0, 16));
    }
    expect(fieldsPart(fields)).toBe(sha256(FIELDS).slice(0, 32));
    const empty = Object.fromEntries(namedFields.map((name) => [propertyOf(name), null]));
    expect(fieldsPart({ ...fields, ...empty, imageAlt: null })).toBe(sha256(FIELDS).slice(0, 32));
    expect(fieldsPart({ ...fields, imageAlt: '' })).toBe(sha256(FIELDS.replace(/\]$/, ',""]')).slice(0, 32));
  });

  it('is another for every value of every field', () => {
    const same = fieldsPart(fields);
    const found = transferredFields.map((name) => fieldsPart({ ...fields, [propertyOf(name)]: 'Other' }));
    expect(new Set([same, ...found]).size).toBe(transferredFields.length + 1);
    const sources = namedFields.map((name) => sourcePart(draft({ named: { [name]: 'Other' } as never })));
    expect(new Set([sourcePart(draft()), ...sources]).size).toBe(namedFields.length + 1);
  });
});

describe('a post that was imported', () => {
  const images = Array.from(
    { length: 70 },
    (_, n) => ({ placeholder: `/media/pending-${n}`, identity: `${n}` }) as unknown as PendingImage,
  );
  const source = { ...draft(), images };
  const lacking = (...numbers: number[]) => new Set(numbers.map((n) => `/media/pending-${n}`));
  const post = (unfetched = lacking(), overrides: Partial<ImportedPost> = {}) =>
    ({
      ...fields,
      isDateChosen: true,
      sourceFingerprint: fingerprint(source, fields, unfetched),
      ...overrides,
    }) as ImportedPost;

  it('is known by its source', () => {
    expect(isFromSame(post(), source)).toBe(true);
    expect(isFromSame(post(), draft({ html: '<p>d</p>' }))).toBe(false);
    expect(isFromSame(post(lacking(), { sourceFingerprint: null }), source)).toBe(false);
  });

  it('is edited when a field differs, or a date was chosen', () => {
    expect(isEdited(post())).toBe(false);
    expect(isEdited(post(lacking(), { title: 'Other' }))).toBe(true);
    const undated = { ...fields, publishedDate: null };
    const sourceFingerprint = fingerprint(source, undated, lacking());
    expect(isEdited(post(lacking(), { sourceFingerprint, isDateChosen: false }))).toBe(false);
    expect(isEdited(post(lacking(), { sourceFingerprint }))).toBe(true);
    expect(isEdited(post(lacking(), { sourceFingerprint: null }))).toBe(true);
  });

  it('has fields whose date is the same, also one that nobody chose; without a date it has any that nobody chose', () => {
    expect(hasFields(post(), fields)).toBe(true);
    expect(hasFields(post(lacking(), { isDateChosen: false }), fields)).toBe(true);
    expect(hasFields(post(lacking(), { isDateChosen: false }), { ...fields, publishedDate: null })).toBe(true);
    expect(hasFields(post(), { ...fields, publishedDate: null })).toBe(false);
    expect(hasFields(post(), { ...fields, title: 'Other' })).toBe(false);
  });

  it('lacks images that could not be fetched, of which all beyond the sixty-third count as one', () => {
    expect(isLackingImages(post())).toBe(false);
    expect(isLackingImages(post(lacking(0)))).toBe(true);
    expect(isLackingImages(post(lacking(69)))).toBe(true);
    expect(isLackingImages(post(lacking(), { sourceFingerprint: null }))).toBe(false);
    expect(isLackingImages(post(lacking(), { sourceFingerprint: 'x'.repeat(64) }))).toBe(false);
    expect(post(lacking(0, 4)).sourceFingerprint?.slice(16, 32)).toBe('0000000000000011');
    expect(post(lacking(63, 69)).sourceFingerprint?.slice(16, 32)).toBe('8000000000000000');
  });

  it('gains images where it lacks fewer, and none anew', () => {
    const before = post(lacking(1, 2));
    expect(isGainingImages(before, source, lacking(1, 2))).toBe(false);
    expect(isGainingImages(before, source, lacking(2))).toBe(true);
    expect(isGainingImages(before, source, lacking())).toBe(true);
    expect(isGainingImages(before, source, lacking(3))).toBe(false);
  });
});

it('knows a post by its fields that has separate accents from an earlier release', () => {
  const stored = { ...fields, title: 'Cafe\u0301', tags: ['e\u0301'], isDateChosen: true } as unknown as ImportedPost;
  expect(hasFields(stored, { ...fields, title: 'Caf\u00e9', tags: ['\u00e9'] })).toBe(true);
  expect(hasFields(stored, { ...fields, title: 'Cafe', tags: ['\u00e9'] })).toBe(false);
});

describe('pictures that are stored here later', () => {
  const imported = {
    ...fields,
    ...{ id: 'x', version: 1, isPublished: true, isDateChosen: true, firstPublishedAt: null, scheduledAt: null },
    ...{ deletedAt: null, sourceKey: 'markdown:site.example#s.md', publishedDate: new Date('2025-01-05T20:00:00Z') },
    sourceFingerprint: fingerprint(draft(), fields, new Set()),
  };
  const moved = { content: '<p><img src="/media/y.png" alt=""></p>' };

  it('are no edit', () => {
    const sourceFingerprint = carryFingerprint(imported, moved);
    expect(sourceFingerprint?.slice(0, 32)).toBe(imported.sourceFingerprint.slice(0, 32));
    expect(isEdited({ ...imported, ...moved, sourceFingerprint })).toBe(false);
    expect(isEdited({ ...imported, ...moved })).toBe(true);
  });

  it('leave an edit one, and a post that was not imported alone', () => {
    expect(carryFingerprint({ ...imported, title: 'Other' }, moved)).toBeNull();
    expect(carryFingerprint({ ...imported, sourceKey: null }, moved)).toBeNull();
  });
});
