import { describe, expect, it } from '@jest/globals';
import type { AdminPostListItem } from '../../../../src/shared/contracts/admin-posts.js';
import { withDecided } from './use-undo-offers.js';

const post = (id: string) => ({ id }) as AdminPostListItem;
const offer = (id: string, index: number) => ({ before: post(id), after: post(id), list: '', index });
const ids = (posts: readonly AdminPostListItem[]) => posts.map(({ id }) => id).join('');

describe('a list while decisions can be undone', () => {
  it('shows posts that a decision took out of it where they were, and no post twice', () => {
    expect(ids(withDecided(['a', 'c'].map(post), [offer('b', 1)]))).toBe('abc');
    expect(ids(withDecided(['b'].map(post), [offer('c', 2), offer('a', 0)]))).toBe('abc');
    expect(ids(withDecided(['a', 'b'].map(post), [offer('a', 0)]))).toBe('ab');
    expect(ids(withDecided([], [offer('a', 0)]))).toBe('a');
  });
});
