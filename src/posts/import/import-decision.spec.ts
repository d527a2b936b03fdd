import { describe, expect, it } from '@jest/globals';
import type { ImportOptions } from '../../shared/contracts/import-report.js';
import type { ImportedPost } from '../posts.service.js';
import { Claims, decide } from './import-decision.js';
import type { ImportDraft } from './import-draft.js';
import { fingerprint } from './source-fingerprint.js';
import type { SourcePost } from './source-post.js';

const publishedDate = new Date('2025-01-05T20:00:00Z');

function draft(overrides: Partial<SourcePost> = {}): ImportDraft {
  const fields = {
    slug: 'a',
    title: 'A',
    excerpt: null,
    content: '<p>a</p>',
    imageUrl: null,
    imageAlt: null,
    category: null,
    tags: null,
    author: 'Ann',
    publishedDate,
  };
  const { slug, title, excerpt, category, tags, author } = fields;
  const post: SourcePost = {
    file: 'a.md',
    sourceKey: 'markdown:posts/a.md',
    ...{ slug, title, excerpt, category, tags, author },
    html: '<p>a</p>',
    image: null,
    date: publishedDate,
    isPublished: undefined,
    folder: '.',
    baseUrl: null,
    oldPaths: [],
    warnings: [],
    ...overrides,
  };
  return { post, fields, images: [], warnings: [] };
}

function imported(from = draft(), overrides: Partial<ImportedPost> = {}): ImportedPost {
  const sourceFingerprint = fingerprint(from, { ...from.fields, publishedDate }, new Set());
  return {
    id: '1',
    version: 1,
    isPublished: false,
    isDateChosen: true,
    deletedAt: null,
    formerSlugs: [],
    ...from.fields,
    publishedDate,
    sourceKey: from.post.sourceKey,
    sourceFingerprint,
    ...overrides,
  };
}

const changedSource = draft({ html: '<p>b</p>' });
const decideOn = (source: ImportDraft, posts: ImportedPost[], options: ImportOptions = {}) =>
  decide(source, { posts, claims: new Claims() }, options);

describe('decide', () => {
  it('creates what is new', () => {
    expect(decideOn(draft(), [])).toEqual({ kind: 'create', id: undefined });
  });

  it('changes nothing when the source is the same, edited here or not', () => {
    expect(decideOn(draft(), [imported()])).toEqual({ kind: 'none' });
    expect(decideOn(draft(), [imported(draft(), { title: 'Edited' })])).toEqual({ kind: 'none' });
  });

  it('publishes an unchanged draft when told to, and never unpublishes', () => {
    expect(decideOn(draft(), [imported()], { isPublishing: true }).kind).toBe('publish');
    expect(decideOn(draft(), [imported(draft(), { isPublished: true })], { isPublishing: true }).kind).toBe('none');
    const asDraft = draft({ isPublished: false });
    expect(decideOn(asDraft, [imported(asDraft, { isPublished: true })]).kind).toBe('none');
  });

  it('updates from a changed source what nobody edited here', () => {
    expect(decideOn(changedSource, [imported()]).kind).toBe('update');
  });

  it('refuses to lose an edit, unless told to', () => {
    const edited = imported(draft(), { title: 'Edited' });
    expect(decideOn(changedSource, [edited])).toEqual({
      kind: 'refuse',
      reason: expect.stringContaining('was edited here since its import') as unknown as string,
    });
    expect(decideOn(changedSource, [edited], { isOverwriting: true }).kind).toBe('update');
    expect(decideOn(draft(), [edited], { isOverwriting: true }).kind).toBe('update');
  });

  it.each([
    [{ sourceKey: null, sourceFingerprint: null }, "the slug 'a' belongs to the post 'A', which was written here"],
    [{ sourceKey: 'markdown:x/b.md' }, "the slug 'a' belongs to the post 'A', imported from x/b.md"],
  ])('refuses the slug of a post with %j', (overrides, reason) => {
    expect(decideOn(draft(), [imported(draft(), { id: '2', ...overrides })])).toEqual({ kind: 'refuse', reason });
  });

  it('refuses the slug of another file of the same run', () => {
    const claims = new Claims();
    claims.claim(draft({ file: 'b.md', sourceKey: 'markdown:posts/b.md' }));
    expect(decide(draft(), { posts: [], claims }, {})).toEqual({
      kind: 'refuse',
      reason: "the slug 'a' is that of b.md already",
    });
  });
});
