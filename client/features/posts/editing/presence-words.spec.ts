import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EMPTY_FORM } from '../../../../src/shared/contracts/admin-posts.js';
import type { PostPresence } from '../../../../src/shared/contracts/post-presence.js';
import { describeChange, describeOthers } from './presence-words.js';
import { startSaving, type Saving } from './saving-state.js';
import { toTime } from './saving-words.js';

const AT = '2026-11-23T14:02:00.000Z';
const seen: PostPresence = {
  others: [],
  is_open_elsewhere: false,
  version: 5,
  save_id: 'theirs',
  is_trashed: false,
  is_kept: false,
  written_by: 'bob@example.com',
  changed_at: AT,
};
const state: Saving = { ...startSaving(null, EMPTY_FORM, true), version: 4 };
const change = (overrides: Partial<PostPresence>, now: Partial<Saving> = {}) =>
  describeChange({ ...seen, ...overrides }, { ...state, ...now }, 'ann@example.com', 'America/Los_Angeles');

describe('others at the same post', () => {
  beforeAll(() => void jest.useFakeTimers({ now: new Date(AT) }));

  it('are named, oneself last', () => {
    expect(describeOthers(seen)).toBe('');
    expect(describeOthers({ ...seen, others: ['a', 'b', 'c'], is_open_elsewhere: true })).toBe(
      'a, b and c have this post open, too.',
    );
    expect(describeOthers({ ...seen, others: ['a'] })).toBe('a has this post open, too.');
    expect(describeOthers({ ...seen, is_open_elsewhere: true })).toContain('another tab');
  });

  it('are named with what they changed, but not with what is under way here', () => {
    const time = toTime(AT, 'America/Los_Angeles');
    expect(change({})).toBe(`bob@example.com saved this post at ${time}.`);
    expect(change({ is_kept: true })).toBe(`bob@example.com changed this post at ${time} and did not save it yet.`);
    expect(change({ written_by: null })).toContain('Somebody else saved');
    expect(change({ written_by: 'ann@example.com' })).toBe(`You saved this post elsewhere at ${time}.`);
    expect(change({ is_trashed: true })).toContain('in the trash');
    const before = { changed_at: '2024-11-06T22:02:00.000Z' };
    expect(change(before)).toBe('bob@example.com saved this post on Nov 6, 2024, 14:02.');
    expect(change({ ...before, is_trashed: true })).toBe('This post is in the trash since Nov 6, 2024, 14:02.');
    expect(change({ save_id: 'mine' }, { server: { save_id: 'mine' } as Saving['server'] })).toContain('published');
    expect(change({ save_id: null })).toContain('was changed');
    expect(change({ version: 4 })).toBe('');
    expect(change({}, { isInFlight: true })).toBe('');
    expect(change({}, { isTaskRunning: true })).toBe('');
  });
});
