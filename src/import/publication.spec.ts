import { describe, expect, it } from '@jest/globals';
import type { ImportOptions } from '../shared/contracts/import-report.js';
import type { ImportedPost } from './imported-posts.service.js';
import { decidePublication } from './publication.js';
import type { SourcePost } from './source-post.js';

const now = new Date('2025-06-01T12:00:00Z');
const later = new Date('2025-07-01T12:00:00Z');
const muchLater = new Date('2025-08-01T12:00:00Z');
const published = { isPublished: true };
const unsaid = { isPublished: undefined };
const draft = { isPublished: false, withheld: 'is a draft there' };
const secret = { isPublished: false, withheld: 'is private there' };
const scheduled = { isPublished: false, scheduledAt: later };
const overdue = { isPublished: false, scheduledAt: new Date('2025-05-01T12:00:00Z') };

const here: Partial<ImportedPost> = { isPublished: false, firstPublishedAt: null, scheduledAt: null, deletedAt: null };
const publishedHere = { ...here, isPublished: true, firstPublishedAt: now };
const unpublishedHere = { ...here, firstPublishedAt: now };
const unplannedHere = { ...here, isPlanTakenBack: true };
const plannedHere = { ...here, scheduledAt: later, publishedDate: later };

const publish: ImportOptions = { isPublishing: true };
const publishAll: ImportOptions = { isPublishing: true, isPublishingDrafts: true };

function decide(post: object, target: object | null, isChanged: boolean, options: ImportOptions = {}) {
  const sides = { post: post as SourcePost, target: target as ImportedPost | null, isChanged, now };
  return decidePublication(sides, options);
}
const stateOf = (...args: Parameters<typeof decide>) => decide(...args).state;

describe('decidePublication', () => {
  it.each([
    ['published', published, ['published', 'published', 'published']],
    ['what says nothing', unsaid, ['draft', 'published', 'published']],
    ['a draft', draft, ['draft', 'draft', 'published']],
    ['what is private', secret, ['draft', 'draft', 'published']],
    ['what is planned', scheduled, ['draft', 'scheduled', 'scheduled']],
    ['what was planned for a time that is over', overdue, ['draft', 'published', 'published']],
    ['a draft with a plan of this product', { ...scheduled, isExact: true }, ['scheduled', 'scheduled', 'scheduled']],
  ])('takes %s as it is there, without flags, with --publish and with --publish-drafts', (_what, post, states) => {
    expect([{}, publish, publishAll].map((options) => stateOf(post, null, true, options))).toEqual(states);
  });

  it('says why it comes as it does, and never two things', () => {
    expect(decide(secret, null, true).notes).toEqual(['is private there: it is a draft here']);
    expect(decide(secret, null, true, publishAll).notes).toEqual([
      'is private there; it is published here all the same',
    ]);
    expect(decide(draft, null, true).notes).toEqual([]);
    expect(decide(draft, null, true, publish).notes).toEqual(['is a draft there: it is a draft here']);
  });

  it('unpublishes nothing, and says so of what became private', () => {
    for (const options of [{}, publish, publishAll]) {
      expect(decide(secret, publishedHere, true, options)).toEqual({
        state: 'published',
        change: {},
        notes: ['is private there, but everybody can read it here: an import unpublishes nothing'],
      });
    }
  });

  it.each([
    ['unpublished', unpublishedHere, published],
    ['unpublished', unpublishedHere, scheduled],
    ['taken back from a plan', unplannedHere, scheduled],
    ['taken back from a plan', unplannedHere, published],
  ])('shows nothing again that was %s here, changed or not, unless asked', (_what, target, post) => {
    for (const isChanged of [true, false]) {
      expect(decide(post, target, isChanged)).toMatchObject({ state: 'draft', change: {} });
      expect(decide(post, target, isChanged, publish)).toMatchObject({ state: 'draft', change: {} });
      expect(stateOf(post, target, isChanged, publishAll)).not.toBe('draft');
    }
  });

  it('publishes a draft that came as one when it is published there now, or when asked', () => {
    expect(stateOf(published, here, true)).toBe('published');
    expect(stateOf(unsaid, here, false)).toBe('draft');
    expect(stateOf(unsaid, here, false, publish)).toBe('published');
    expect(stateOf(secret, here, true, publish)).toBe('draft');
  });

  it('lets a plan follow the source', () => {
    expect(decide({ ...scheduled, scheduledAt: muchLater }, plannedHere, true)).toMatchObject({
      change: { scheduledAt: muchLater },
      notes: [expect.stringContaining('it was planned here for 2025-07-01')],
    });
    expect(decide(secret, plannedHere, true, publish)).toMatchObject({ state: 'draft', change: { scheduledAt: null } });
    expect(decide(published, plannedHere, true)).toMatchObject({ change: { isPublished: true } });
    expect(decide(unsaid, plannedHere, true)).toMatchObject({ state: 'scheduled', change: {} });
    expect(decide(scheduled, plannedHere, false, publish)).toMatchObject({ state: 'scheduled', change: {} });
  });

  it('leaves a plan alone that was made here, and says so', () => {
    const planned = { ...plannedHere, publishedDate: now };
    expect(decide(draft, planned, true)).toMatchObject({
      state: 'scheduled',
      change: {},
      notes: ['is a draft there, and stays planned here for 2025-07-01T12:00:00.000Z'],
    });
  });

  it('leaves the trash alone', () => {
    expect(decide(published, { ...here, deletedAt: now }, true, publishAll)).toMatchObject({
      state: 'trash',
      change: {},
    });
  });

  it('says when what is planned there is a draft here, and plans it only for a time to come', () => {
    expect(decide(scheduled, null, true)).toEqual({
      state: 'draft',
      change: {},
      notes: ['is planned there for 2025-07-01T12:00:00.000Z: it is a draft here (--publish plans it here too)'],
    });
    expect(decide(scheduled, null, true, publish)).toEqual({
      state: 'scheduled',
      publishAt: later,
      change: { scheduledAt: later },
      notes: [],
    });
    expect(stateOf({ ...scheduled, scheduledAt: now }, null, true, publish)).toBe('published');
  });

  it('says why a post that was taken back here stays a draft, unless the source has a reason of its own', () => {
    expect(decide(published, unpublishedHere, true).notes).toEqual([
      'is a draft here, as it was unpublished since its import (posts publish shows it)',
    ]);
    expect(decide(scheduled, unplannedHere, true, publish).notes).toEqual([
      'is a draft here, as its plan was taken back since its import (posts publish shows it)',
    ]);
    expect(decide(secret, unpublishedHere, true).notes).toEqual(['is private there: it is a draft here']);
    expect(decide(unsaid, unpublishedHere, true).notes).toEqual([]);
  });

  it('says nothing new of a draft that has not changed', () => {
    expect(decide(secret, here, false)).toEqual({
      state: 'draft',
      change: {},
      notes: ['is private there: it is a draft here'],
    });
    expect(decide(published, here, false)).toEqual({ state: 'draft', change: {}, notes: [] });
    expect(decide(published, here, false, { isPublishingDrafts: true })).toMatchObject({ state: 'published' });
    expect(decide(secret, here, true, publishAll)).toMatchObject({
      state: 'published',
      change: { isPublished: true },
      notes: ['is private there; it is published here all the same'],
    });
  });

  it('says of a published post what is not public there, but of a mere draft only when it changed', () => {
    expect(decide(draft, publishedHere, true).notes).toHaveLength(1);
    expect(decide(draft, publishedHere, false).notes).toEqual([]);
    expect(decide({ isPublished: false }, publishedHere, true).notes).toEqual([
      'is a draft there, but everybody can read it here: an import unpublishes nothing',
    ]);
    expect(decide(secret, publishedHere, false).notes).toHaveLength(1);
    expect(decide({ ...secret, isExact: true }, publishedHere, true).notes).toEqual([]);
    expect(decide(published, publishedHere, true).notes).toEqual([]);
    expect(decide(scheduled, publishedHere, true).notes).toEqual([]);
  });

  describe('of a plan', () => {
    const kept = { state: 'scheduled', publishAt: later, change: {}, notes: [] };

    it('stays as it is where the source has not changed, or says the same', () => {
      expect(decide(secret, plannedHere, false)).toEqual(kept);
      expect(decide(scheduled, plannedHere, true)).toEqual(kept);
      expect(decide(overdue, plannedHere, true)).toEqual(kept);
      expect(decide(published, plannedHere, false)).toEqual(kept);
    });

    it('ends with the publication of the source, if that is asked for', () => {
      expect(stateOf(published, plannedHere, false, publish)).toBe('published');
      expect(stateOf(published, plannedHere, false, { isPublishingDrafts: true })).toBe('published');
      expect(stateOf(secret, plannedHere, true, publishAll)).toBe('draft');
    });

    it('moves with the source, and says from where', () => {
      expect(decide({ ...scheduled, scheduledAt: muchLater }, plannedHere, true)).toEqual({
        state: 'scheduled',
        publishAt: muchLater,
        change: { scheduledAt: muchLater },
        notes: ['is planned there for 2025-08-01T12:00:00.000Z; it was planned here for 2025-07-01T12:00:00.000Z'],
      });
      expect(decide(draft, plannedHere, true)).toEqual({
        state: 'draft',
        change: { scheduledAt: null },
        notes: ['is a draft there; it was planned here for 2025-07-01T12:00:00.000Z'],
      });
    });

    it('that was made here stays, also beside another one there', () => {
      const own = { ...plannedHere, publishedDate: now };
      expect(decide({ ...scheduled, scheduledAt: muchLater }, own, true)).toEqual({
        ...kept,
        notes: ['is planned there for 2025-08-01T12:00:00.000Z, and stays planned here for 2025-07-01T12:00:00.000Z'],
      });
    });
  });
});
