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
});
