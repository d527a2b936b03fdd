import { describe, expect, it } from '@jest/globals';
import type { ImportOptions } from '../shared/contracts/import-report.js';
import type { ImportedPost } from './imported-posts.service.js';
import { Claims, decide, settleComparison } from './import-decision.js';
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
    itemKey: 'a.md',
    formerKeys: ['markdown:posts/a.md'],
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
  return { post, sourceKey: 'markdown:blog.example#a.md', fields, images: [], warnings: [] };
}

function imported(from = draft(), overrides: Partial<ImportedPost> = {}): ImportedPost {
  const sourceFingerprint = fingerprint(from, { ...from.fields, publishedDate }, new Set());
  return {
    id: '1',
    version: 1,
    isPublished: false,
    isDateChosen: true,
    deletedAt: null,
    firstPublishedAt: null,
    scheduledAt: null,
    isPlanTakenBack: false,
    formerSlugs: [],
    ...from.fields,
    publishedDate,
    sourceKey: from.sourceKey,
    sourceFingerprint,
    ...overrides,
  };
}

const changedSource: ImportDraft = draft({ html: '<p>a b</p>' });
const decideOn = (source: ImportDraft, posts: ImportedPost[], options: ImportOptions = {}) =>
  decide(source, { posts, claims: new Claims() }, options);

describe('decide', () => {
  it('creates what is new', () => {
    expect(decideOn(draft(), [])).toEqual({ kind: 'create', id: undefined });
  });

  it('changes nothing when the source is the same, edited here or not', () => {
    const posts = [imported(), imported(draft(), { title: 'Edited' })];
    for (const target of posts) {
      expect(decideOn(draft(), [target])).toEqual({ kind: 'keep', target, isSameSource: true });
    }
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

  describe('of a former key', () => {
    const former = { sourceKey: 'markdown:posts/a.md' };
    const text = (content: string): ImportDraft => ({
      ...draft({ html: content }),
      fields: { ...draft().fields, content },
    });
    const one = text('<p>one two three four five six</p>');
    const settle = (source: ImportDraft, target: ImportedPost, options: ImportOptions = {}) => {
      const decision = decideOn(source, [target], options);
      return decision.kind === 'compare' ? settleComparison(decision, source, source.fields, options) : decision;
    };

    it('goes on with a post that was made from this very source, edited here or not', () => {
      for (const overrides of [former, { ...former, title: 'Edited', slug: 'edited' }]) {
        const target = imported(one, overrides);
        expect(settle(one, target)).toEqual({ kind: 'keep', target, isSameSource: true });
      }
    });

    it('goes on with a post that has the same fields, read in another way', () => {
      const target = imported(text('<p>one two three four five six</p> '), { ...former, content: one.fields.content });
      expect(settle(one, target)).toEqual({ kind: 'keep', target, isSameSource: false });
    });

    it('asks about one with changes, and leaves edits alone', () => {
      const changed = text('<p>one two three four five seven</p>');
      expect(settle(changed, imported(one, former)).kind).toBe('ask');
      expect(settle(changed, imported(one, former), { isAcceptingChanges: true }).kind).toBe('update');
      const edited = imported(one, { ...former, title: 'Edited' });
      expect(settle(changed, edited, { isAcceptingChanges: true }).kind).toBe('refuse');
    });

    it('takes one of little in common for that of another source', () => {
      const other = text('<p>eins zwei drei vier</p>');
      expect(settle(other, imported(one, former))).toEqual({
        kind: 'refuse',
        reason: "the slug 'a' belongs to the post 'A', imported from posts/a.md",
      });
      expect(settle(other, imported(one, { ...former, slug: 'b' })).kind).toBe('create');
    });
  });

  it('asks before more than half of the words go, unless they may', () => {
    const words = 'one two three four five six seven eight';
    const before = imported({ ...draft(), fields: { ...draft().fields, content: `<p>${words}</p>` } });
    const after = (content: string) => ({ ...changedSource, fields: { ...draft().fields, content } });
    expect(decideOn(after(`<p>new ${words} and a lot more than there was</p>`), [before]).kind).toBe('update');
    expect(decideOn(after('<p>one two three four five</p>'), [before]).kind).toBe('update');
    expect(decideOn(after('<p>six one eight</p>'), [before]).kind).toBe('ask');
    expect(decideOn(after('<p>six one eight</p>'), [before], { isAcceptingChanges: true }).kind).toBe('update');
  });

  it('says how to go on with a source whose name has changed', () => {
    const moved = { ...draft(), sourceKey: 'markdown:new.example#a.md' };
    expect(decideOn(moved, [imported()])).toMatchObject({
      reason: expect.stringContaining('if it is the same source, --source blog.example goes on with it') as unknown,
    });
  });

  it.each([
    [{ sourceKey: null, sourceFingerprint: null }, "the slug 'a' belongs to the post 'A', which was written here"],
    [{ sourceKey: 'markdown:x/b.md' }, "the slug 'a' belongs to the post 'A', imported from x/b.md"],
  ])('refuses the slug of a post with %j', (overrides, reason) => {
    expect(decideOn(draft(), [imported(draft(), { id: '2', ...overrides })])).toEqual({ kind: 'refuse', reason });
  });

  it('refuses the slug of another file of the same run', () => {
    const claims = new Claims();
    claims.claim({ ...draft({ file: 'b.md' }), sourceKey: 'markdown:blog.example#b.md' });
    expect(decide(draft(), { posts: [], claims }, {})).toEqual({
      kind: 'refuse',
      reason: "the slug 'a' is that of b.md already",
    });
  });
});
