import { describe, expect, it } from '@jest/globals';
import type { ImportDraft } from './import-draft.js';
import { beginWork, conclude, orRefused, toItem, type Work } from './import-work.js';
import { RefusedError } from './import.errors.js';
import type { ImportedPost } from './imported-posts.service.js';
import type { SourceItem } from './source-post.js';

const post = { file: 'a.md', slug: 'a' } as unknown as SourceItem;
const draft = { fields: { slug: 'a' }, warnings: ['read'] } as unknown as ImportDraft;
const target = { id: '1' } as ImportedPost;
const workOn = (overrides: Partial<Work> = {}): Work => ({ ...beginWork({ item: post, position: 7 }), ...overrides });
const later = new Date('2026-07-01T12:00:00Z');

describe('the work on an item', () => {
  it('begins with nothing but what was refused while it was read', () => {
    expect(workOn()).toEqual({
      item: post,
      position: 7,
      comments: null,
      draft: null,
      decision: null,
      refusal: null,
      warnings: [],
      repairs: [],
      oldPaths: [],
      lists: [],
      redirects: [],
      publication: null,
      isWritten: false,
    });
    const refusal = new RefusedError(['is broken'], 'a');
    expect(beginWork({ item: { file: 'a.md', refusal }, position: 1 }).refusal).toBe(refusal);
  });

  it('ends with a refusal, and goes on with any other decision', () => {
    const work = workOn();
    conclude(work, { kind: 'keep', target, isSameSource: true });
    expect(work).toMatchObject({ decision: { kind: 'keep' }, refusal: null });
    conclude(work, { kind: 'refuse', reason: 'is broken' });
    expect(work).toMatchObject({ decision: { kind: 'refuse' }, refusal: { reasons: ['is broken'] } });
  });

  it('notes that a task refuses it, and throws what else goes wrong', async () => {
    const work = workOn();
    expect(await orRefused(work, async () => 5)).toBe(5);
    expect(work.refusal).toBeNull();
    const refusal = new RefusedError(['is broken']);
    expect(await orRefused(work, () => Promise.reject(refusal))).toBeNull();
    expect(work.refusal).toBe(refusal);
    await expect(orRefused(work, () => Promise.reject(new Error('A mistake')))).rejects.toThrow('A mistake');
  });
});

describe('the report of an item', () => {
  const nothing = { reasons: [], warnings: [], redirects: [] };
  const made = workOn({ draft, warnings: ['late'], redirects: ['/old'], isWritten: true });

  it('says what became of it', () => {
    const told = { file: 'a.md', slug: 'a', reasons: [], warnings: ['read', 'late'], redirects: ['/old'] };
    expect(toItem({ ...made, decision: { kind: 'create', id: undefined } })).toEqual({ ...told, outcome: 'created' });
    expect(toItem({ ...made, decision: { kind: 'update', target } })).toEqual({ ...told, outcome: 'updated' });
    expect(toItem({ ...made, decision: { kind: 'update', target }, isWritten: false })).toEqual({
      ...told,
      outcome: 'unchanged',
    });
    expect(toItem(workOn())).toEqual({ file: 'a.md', slug: null, outcome: 'unchanged', ...nothing });
  });

  it('says why something is no post', () => {
    const item = { file: 'menu.md', skipped: 'is a menu' } as unknown as SourceItem;
    expect(toItem(workOn({ item, redirects: ['/old'] }))).toEqual({
      file: 'menu.md',
      slug: null,
      outcome: 'skipped',
      ...nothing,
      reasons: ['is a menu'],
    });
  });

  it('says why it was refused and what was done all the same, and nothing of what would have been left out', () => {
    const publication = { state: 'draft', change: {}, notes: ['a note'] } as const;
    const refusal = new RefusedError(['is broken'], 'b');
    const refused = { file: 'a.md', outcome: 'refused', reasons: ['is broken'], warnings: [], redirects: [] };
    expect(toItem({ ...made, publication, refusal })).toEqual({ ...refused, slug: 'a' });
    expect(toItem(workOn({ refusal, publication }))).toEqual({ ...refused, slug: 'b' });
    expect(toItem({ ...made, refusal, repairs: ['brought back'] })).toMatchObject({ warnings: ['brought back'] });
  });

  it('says what is about the whole file with its first item, whatever becomes of that', () => {
    const fileNotes = ['has columns that are not taken'];
    const refusal = new RefusedError(['is broken'], null, fileNotes);
    const read = { file: 'a.md', fileNotes };
    const items = [
      workOn({ item: read as unknown as SourceItem, draft }),
      workOn({ item: read as unknown as SourceItem, draft, refusal: new RefusedError(['is taken']) }),
      workOn({ item: { file: 'a.md', refusal }, refusal }),
      workOn({ item: { ...read, skipped: 'is of 2001' } }),
    ];
    expect(items.map((work) => toItem(work).warnings)).toEqual([
      ['read', ...fileNotes],
      fileNotes,
      fileNotes,
      fileNotes,
    ]);
  });

  it('says who can read it from now on, and from when', () => {
    const plan = { state: 'scheduled', publishAt: later, change: {}, notes: ['a note'] } as const;
    expect(toItem({ ...made, publication: plan })).toMatchObject({
      state: 'scheduled',
      publishAt: '2026-07-01T12:00:00.000Z',
      warnings: ['read', 'a note', 'late'],
    });
    const item = toItem({ ...made, publication: { state: 'draft', change: {}, notes: [] } });
    expect(item.state).toBe('draft');
    expect(item).not.toHaveProperty('publishAt');
  });
});
