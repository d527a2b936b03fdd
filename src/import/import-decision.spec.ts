import { describe, expect, it } from '@jest/globals';
import type { ImportOptions } from '../shared/contracts/import-report.js';
import type { ImportedPost } from './imported-posts.service.js';
import { Claims, decide, describeHolder, settleComparison, settleRetry } from './import-decision.js';
import type { PendingImage } from './images/pending-image.js';
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
  return { post, sourceKey: 'markdown:blog.example#a.md', fields, images: [], files: [], missing: [], warnings: [] };
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
    isUndone: false,
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

  it('creates again what the undoing of an import put into the trash, and nothing else of the trash', () => {
    const trashed = { deletedAt: new Date() };
    const ofAnother = { ...trashed, sourceKey: 'markdown:old.example#a.md' };
    for (const where of [trashed, ofAnother, { ...ofAnother, slug: 'former', formerSlugs: [draft().fields.slug] }]) {
      const target = imported(draft(), { ...where, isUndone: true });
      expect(decideOn(draft(), [target])).toEqual({ kind: 'create', id: undefined, over: target });
      expect(decideOn(draft(), [{ ...target, isUndone: false }]).kind).not.toBe('create');
    }
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

    it('updates one with changes, asks about one of another name, and leaves edits alone', () => {
      const changed = text('<p>one two three four five seven</p>');
      expect(settle(changed, imported(one, former)).kind).toBe('update');
      for (const fields of [
        { ...changed.fields, title: 'B' },
        { ...changed.fields, slug: 'b' },
      ]) {
        const named = { ...changed, fields };
        expect(settle(named, imported(one, former)).kind).toBe('ask');
        expect(settle(named, imported(one, former), { isAcceptingChanges: true }).kind).toBe('update');
      }
      const edited = imported(one, { ...former, title: 'Edited' });
      expect(settle(changed, edited, { isAcceptingChanges: true }).kind).toBe('refuse');
    });

    it('takes one of little in common for that of another source if it needs another slug, and asks about it if not', () => {
      const other = text('<p>eins zwei drei vier</p>');
      expect(settle(other, imported(one, { ...former, slug: 'b' })).kind).toBe('create');
      const reason =
        "may be the post 'A' with changes, which was imported from posts/a.md before sources had names, 86 % of whose words would go";
      expect(settle(other, imported(one, former))).toMatchObject({
        kind: 'ask',
        refusal: `${reason} (--accept-changes replaces them; if it is another one, --slug-prefix and --slug-suffix give it a slug of its own)`,
      });
      const accepted = { isAcceptingChanges: true };
      expect(settle(other, imported(one, former), accepted).kind).toBe('update');
      const edited = imported(one, { ...former, title: 'Edited' });
      expect(settle(other, edited, accepted)).toEqual({
        kind: 'refuse',
        reason: expect.stringMatching(/^may be the post 'Edited' .*; it was edited here since its import/),
      });
      expect(settle(other, edited, { isOverwriting: true }).kind).toBe('ask');
      expect(settle(other, edited, { ...accepted, isOverwriting: true }).kind).toBe('update');
    });

    it('leaves the slug of a third post alone', () => {
      const changed = text('<p>one two three four five seven</p>');
      const third = imported(one, { id: 'third', sourceKey: 'markdown:x.example#x.md', title: 'Third' });
      const decision = decideOn(changed, [imported(one, { ...former, slug: 'b' }), third], {
        isAcceptingChanges: true,
      });
      const settled = decision.kind === 'compare' ? settleComparison(decision, changed, changed.fields, {}) : decision;
      expect(settled).toMatchObject({ kind: 'refuse', reason: expect.stringContaining("belongs to the post 'Third'") });
    });

    it('means the post with the slug where several have one', () => {
      const target = imported(one, former);
      const shorter = imported(one, { id: 'other', sourceKey: 'markdown:a.md', slug: 'c', content: '<p>x</p>' });
      const source = text('<p>one two three four five seven</p>');
      const named = { ...source, post: { ...source.post, formerKeys: ['markdown:a.md', 'markdown:posts/a.md'] } };
      const decision = decideOn(named, [shorter, target]);
      expect(decision).toMatchObject({ kind: 'compare', target });
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
      reason: "the slug 'a' is that of b.md already (--slug-prefix and --slug-suffix give others)",
    });
  });

  it('refuses what one source holds twice, by key or by id', () => {
    const claims = new Claims();
    claims.claim(draft({ file: 'b.md', id: '7' }));
    const others = [
      { ...draft(), fields: { ...draft().fields, slug: 'b' } },
      { ...draft({ id: '7' }), sourceKey: 'markdown:blog.example#c.md', fields: { ...draft().fields, slug: 'c' } },
    ];
    for (const other of others) {
      expect(decide(other, { posts: [], claims }, {})).toEqual({
        kind: 'refuse',
        reason: 'the source holds it twice; it was read as b.md already',
        isRepeated: true,
      });
    }
    const third = { ...draft(), sourceKey: 'markdown:blog.example#d.md', fields: { ...draft().fields, slug: 'd' } };
    expect(decide(third, { posts: [], claims }, {}).kind).toBe('create');
  });

  it('gives an old address to the first post that names it, once', () => {
    const claims = new Claims();
    const spell = (path: string) => path.replace(/\/$/, '');
    expect(claims.claimPaths(draft({ oldPaths: ['/1', '/2', '/1'] }).post, spell)).toEqual({
      oldPaths: ['/1', '/2'],
      warnings: [],
    });
    expect(claims.claimPaths(draft({ file: 'b.md', oldPaths: ['/2', '/3'] }).post, spell)).toEqual({
      oldPaths: ['/3'],
      warnings: ['the old address /2 leads to a.md already'],
    });
    // Spelled otherwise it is the same redirect, which a later group of posts would take away.
    expect(claims.claimPaths(draft({ file: 'c.md', oldPaths: ['/1/', '/4/', '/4', '/5'] }).post, spell)).toEqual({
      oldPaths: ['/4/', '/5'],
      warnings: ['the old address /1/ leads to a.md already'],
    });
  });

  it('knows of slugs that posts get and lose in the same run, and of addresses that they had', () => {
    const moving = imported(draft(), { id: '2', sourceKey: 'markdown:blog.example#b.md' });
    const claims = new Claims();
    expect(decide(draft(), { posts: [moving], claims }, {}).kind).toBe('refuse');
    claims.noteMove(moving, 'a');
    expect(decide(draft(), { posts: [moving], claims }, {}).kind).toBe('refuse');
    claims.noteMove(moving, 'moved');
    expect(claims.slugOf(moving)).toBe('moved');
    expect(decide(draft(), { posts: [moving], claims }, {}).kind).toBe('create');
    const moved = { ...moving, formerSlugs: ['b', 'a'] };
    expect(decide(draft(), { posts: [moved], claims }, {}).kind).toBe('refuse');
    const taking = imported(draft(), { id: '3', sourceKey: 'markdown:blog.example#c.md', slug: 'c' });
    claims.noteMove(taking, 'a');
    expect(decide(draft(), { posts: [taking], claims }, {}).kind).toBe('refuse');
  });

  describe('of a post in the trash', () => {
    const deletedAt = new Date('2025-02-01T00:00:00Z');
    const refusal = { kind: 'refuse', reason: 'is in the trash; restore it there first' };

    it('changes nothing there', () => {
      const target = imported(draft(), { deletedAt });
      expect(decideOn(changedSource, [target], { isOverwriting: true })).toEqual(refusal);
      expect(decideOn(draft(), [target])).toEqual({ kind: 'keep', target, isSameSource: true });
      const byId = imported(draft(), { id: '7', deletedAt, sourceKey: null, sourceFingerprint: null });
      expect(decideOn(draft({ id: '7' }), [byId])).toEqual(refusal);
    });
  });

  describe('of an id', () => {
    const withId = { ...draft({ id: '7' }), sourceKey: 'export:7' };
    const settle = (target: ImportedPost, options: ImportOptions = {}, fields = withId.fields) => {
      const decision = decideOn(withId, [target], options);
      return decision.kind === 'compare' ? settleComparison(decision, withId, fields, options) : decision;
    };
    const here = imported(withId, { id: '7', sourceKey: null, sourceFingerprint: null });

    it('creates the post under it', () => {
      expect(decideOn(withId, [])).toEqual({ kind: 'create', id: '7' });
    });

    it('keeps the post of that id when it has the same fields', () => {
      expect(settle(here)).toEqual({ kind: 'keep', target: here, isSameSource: false });
    });

    it('refuses one with other contents, unless told to overwrite it', () => {
      const other = { ...here, title: 'Other' };
      expect(settle(other)).toEqual({
        kind: 'refuse',
        reason: 'there is a post of this id with other contents, which was written here (--overwrite replaces them)',
      });
      expect(settle(other, { isOverwriting: true })).toEqual({ kind: 'update', target: other });
      const longer = { ...here, title: 'Other', content: '<p>one two three four five six</p>' };
      expect(settle(longer, { isOverwriting: true })).toEqual({
        kind: 'ask',
        target: longer,
        question: { file: 'a.md', slug: 'a', title: 'Other', share: 1 },
        refusal:
          "would take 100 % of the words of the post 'Other', which was written here, away " +
          '(--accept-changes replaces them)',
      });
    });

    it('compares no post whose slug somebody else has', () => {
      const holder = imported(draft(), { id: '8' });
      expect(decideOn(withId, [{ ...here, slug: 'b' }, holder])).toMatchObject({ kind: 'refuse' });
    });
  });

  describe('of images that could not be fetched', () => {
    const images = [1, 2].map((n) => ({ placeholder: `/media/pending-${n}`, identity: n }) as unknown as PendingImage);
    const shown = { ...draft(), images };
    const lacking = (...numbers: number[]) => new Set(numbers.map((n) => `/media/pending-${n}`));
    const target = imported(shown, { sourceFingerprint: fingerprint(shown, shown.fields, lacking(1, 2)) });

    it('tries them again, unless nothing is to be fetched, or the post was edited or deleted', () => {
      expect(decideOn(shown, [target])).toEqual({ kind: 'retry', target });
      expect(decideOn(shown, [target], { isFetching: true })).toEqual({ kind: 'retry', target });
      expect(decideOn(shown, [target], { isFetching: false }).kind).toBe('keep');
      expect(decideOn(shown, [{ ...target, title: 'Edited' }]).kind).toBe('keep');
      expect(decideOn(shown, [{ ...target, deletedAt: new Date() }]).kind).toBe('keep');
    });

    it('updates the post only where it gains images and loses none', () => {
      const settle = (...numbers: number[]) => settleRetry({ kind: 'retry', target }, shown, lacking(...numbers));
      const keep = { kind: 'keep', target, isSameSource: true };
      expect(settle(1, 2)).toEqual(keep);
      expect(settle(2)).toEqual({ kind: 'update', target });
      expect(settle()).toEqual({ kind: 'update', target });
      const half = { ...target, sourceFingerprint: fingerprint(shown, shown.fields, lacking(1)) };
      expect(settleRetry({ kind: 'retry', target: half }, shown, lacking(2)).kind).toBe('keep');
    });
  });

  it('describes a post by its source, if it has one', () => {
    expect(describeHolder(imported())).toBe("the post 'A', imported from blog.example#a.md");
    const trashed = imported(draft(), { deletedAt: new Date() });
    expect(describeHolder(trashed)).toBe("the post 'A' in the trash, imported from blog.example#a.md");
    expect(describeHolder(imported(draft(), { sourceKey: null }))).toBe("the post 'A', which was written here");
  });

  it.each([
    ['another item', 'markdown:blog.example#b.md'],
    ['another kind of source', 'hosted:blog.example#a.md'],
    ['a key without a name', 'export:a.md'],
  ])('gives no hint at names for %s', (_what, sourceKey) => {
    const renamed = { ...draft(), sourceKey: 'markdown:new.example#a.md' };
    const decision = decideOn(renamed, [imported(draft(), { sourceKey })]);
    const source = sourceKey.replace(/^[a-z]+:/, '');
    expect(decision).toEqual({
      kind: 'refuse',
      reason: `the slug 'a' belongs to the post 'A', imported from ${source}`,
    });
  });
});
