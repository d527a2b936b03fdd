import { describe, expect, it } from '@jest/globals';
import type { AdminPostListItem } from '../../../../src/shared/contracts/admin-posts.js';
import { describePlan, describeToggle } from './decision-words.js';

const post = (parts: Partial<AdminPostListItem>) =>
  ({
    slug: 'backups',
    is_published: false,
    has_unsaved_changes: false,
    scheduled_at: null,
    ...parts,
  }) as AdminPostListItem;
const draft = post({});
const published = post({ is_published: true });
const edited = post({ is_published: true, has_unsaved_changes: true });
const unfinished = post({ has_unsaved_changes: true });
const planned = post({ scheduled_at: '2090-01-01T00:00:00.000Z' });

describe('what an action on several posts will do', () => {
  it('is told of each kind of post once, what changes first', () => {
    expect(describePlan('publish', [draft, draft, published, edited, unfinished, planned])).toBe(
      '2 become public, 1 becomes public now, not as planned, 1 has unsaved changes and stays as it is, 2 are public already',
    );
    expect(describePlan('unpublish', [draft, edited, planned])).toBe(
      '1 is not public, 1 is not planned any more, 1 leaves the site',
    );
    expect(describePlan('trash', [draft, published])).toBe('1 goes to the trash for 30 days, 1 leaves the site');
    expect(describePlan('restore', [draft])).toBe('1 becomes a draft');
  });

  it('is told of one post with its address', () => {
    expect(describeToggle(published)).toContain('nobody can read it at /blogs/backups');
    expect(describeToggle(draft)).toBe('Everybody can read it at /blogs/backups');
    expect(describeToggle(planned)).toContain('not as planned');
    expect(describeToggle(unfinished)).toContain('save or discard them first');
    expect(describeToggle(post({ slug: '' }))).toContain('complete it first');
  });
});
