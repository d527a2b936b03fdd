import { describe, expect, it } from '@jest/globals';
import type { AdminPostListItem } from '../../../../src/shared/contracts/admin-posts.js';
import { describeBulk } from './use-bulk-actions.js';

const posts = ['One', 'Two', 'Three', ''].map((title, index) => ({ id: `${index + 1}`, title }) as AdminPostListItem);
const outcomes = (...each: readonly Parameters<typeof describeBulk>[2][number]['outcome'][]) =>
  each.map((outcome, index) => ({ id: `${index + 1}`, outcome, post: null }));

describe('how a change of many posts ended', () => {
  it('is a number when every post was changed', () => {
    expect(describeBulk('publish', posts, outcomes('done', 'done'))).toMatchObject({
      kind: 'success',
      title: '2 posts published',
      lines: [],
    });
  });

  it('is a line for every post that was left as it was', () => {
    const outcome = describeBulk('trash', posts, outcomes('done', 'changed-meanwhile', 'gone', 'unsaved-changes'));
    expect(outcome).toMatchObject({ kind: 'error', title: '1 post deleted', text: '3 posts left as they were' });
    expect(outcome.lines).toEqual([
      '“Two” was changed since this list was loaded, so it was left alone.',
      '“Three” no longer exists.',
      '“(no title yet)” has unsaved changes: open it and save or discard them first.',
    ]);
  });
});
