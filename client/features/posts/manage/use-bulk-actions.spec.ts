import { describe, expect, it } from '@jest/globals';
import type { AdminPostListItem } from '../../../../src/shared/contracts/admin-posts.js';
import { describeBulk, toUndo } from './use-bulk-actions.js';

const posts = ['One', 'Two', 'Three', ''].map((title, index) => ({ id: `${index + 1}`, title }) as AdminPostListItem);
const outcomes = (...each: readonly Parameters<typeof describeBulk>[1][number]['outcome'][]) =>
  each.map((outcome, index) => ({ id: `${index + 1}`, outcome, post: null }));

describe('how a change of many posts ended', () => {
  it('is a number when every post was changed', () => {
    expect(describeBulk({ action: 'publish', posts }, outcomes('done', 'done'))).toMatchObject({
      kind: 'success',
      title: '2 posts published',
      lines: [],
    });
  });

  it('says that posts are as before where they are: out of the trash, they come back as drafts', () => {
    const undone = outcomes('done', 'done');
    expect(describeBulk({ action: 'publish', posts, isUndo: true }, undone)).toMatchObject({
      title: '2 posts as before',
    });
    expect(describeBulk({ action: 'restore', posts, isUndo: true }, undone)).toMatchObject({
      title: '2 posts restored as drafts',
    });
  });

  it('is a line for every post that was left as it was', () => {
    const outcome = describeBulk(
      { action: 'trash', posts },
      outcomes('done', 'changed-meanwhile', 'gone', 'unsaved-changes'),
    );
    expect(outcome).toMatchObject({ kind: 'error', title: '1 post deleted', text: '3 posts left as they were' });
    expect(outcome.lines).toEqual([
      '“Two” was changed since this list was loaded, so it was left alone.',
      '“Three” no longer exists.',
      '“(no title yet)” has unsaved changes: open it and save or discard them first.',
    ]);
  });

  it('says how far it came where a later request failed, and why', () => {
    const failure = 'The database is away.';
    expect(describeBulk({ action: 'publish', posts }, outcomes('done', 'done', 'gone'), failure)).toMatchObject({
      kind: 'error',
      title: '2 posts published',
      text: '1 post left as they were. Stopped after 3 of 4 posts. The database is away.',
      lines: ['“Three” no longer exists.'],
    });
    expect(describeBulk({ action: 'publish', posts }, outcomes('done'), failure)).toMatchObject({
      kind: 'error',
      text: 'Stopped after 1 of 4 posts. The database is away.',
    });
    expect(describeBulk({ action: 'publish', posts }, [], failure)).toEqual({
      kind: 'error',
      title: 'Failed to change the posts',
      text: failure,
    });
  });

  it('can be taken back for what was changed, with the plans that posts had', () => {
    const before = [
      { id: '1', version: 3, scheduled_at: null },
      { id: '2', version: 5, scheduled_at: '2090-01-01T00:00:00.000Z' },
      { id: '3', version: 7, scheduled_at: null },
    ] as AdminPostListItem[];
    const results = before.map((post, at) => ({
      id: post.id,
      outcome: at === 2 ? ('unchanged' as const) : ('done' as const),
      post: { ...post, version: post.version + 1, scheduled_at: null },
    }));
    expect(toUndo('unpublish', before, results)).toEqual({
      action: 'publish',
      isUndo: true,
      posts: [
        { id: '1', version: 4, scheduled_at: null },
        { id: '2', version: 6, scheduled_at: '2090-01-01T00:00:00.000Z' },
      ],
    });
    expect(toUndo('restore', before, results)).toBeNull();
    expect(toUndo('publish', before, results.slice(2))).toBeNull();
  });
});
