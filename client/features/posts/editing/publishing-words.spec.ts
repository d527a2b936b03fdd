import { describe, expect, it } from '@jest/globals';
import {
  canSave,
  describeForAuthor,
  describePublicState,
  describeSaveForReaders,
  hasWaitingChanges,
} from './publishing-words.js';
import type { Saving } from './saving-state.js';
import { makePost, text } from './testing/saving-steps.js';

const ZONE = 'America/Los_Angeles';
const AT = '2099-01-05T17:00:00.000Z';
const draft = makePost();
const live = makePost({ is_published: true, state: 'published', live_since: AT });
const planned = makePost({ state: 'scheduled', scheduled_at: AT });

function say(changes: Partial<Pick<Saving, 'server' | 'fields' | 'decision' | 'date'>>): string {
  return describeSaveForReaders({ server: draft, fields: text('first'), decision: null, date: null, ...changes });
}

describe('what readers have', () => {
  it.each([
    [null, 'Not saved yet'],
    [makePost({ saved: text('') }), 'Not saved yet'],
    [draft, 'Draft: readers do not see it'],
    [live, 'Live since Jan 5, 2099, 9:00 AM'],
    [makePost({ is_published: true }), 'Live'],
    [planned, 'Scheduled for Jan 5, 2099, 9:00 AM'],
    [makePost({ state: 'trashed' }), 'In the trash'],
  ])('is said of %o', (server, words) => {
    expect(describePublicState({ server }, ZONE)).toBe(words);
  });
});

describe('what saving does for readers', () => {
  const typed = text('typed on');

  it('depends on what they see now and on the switch', () => {
    expect(say({})).toBe('Saving keeps it a draft.');
    expect(say({ decision: true, fields: { ...typed, slug: 'typed-on' } })).toBe(
      'Saving publishes the post at /blogs/typed-on.',
    );
    expect(say({ server: live })).toBe('Readers see it as it is here.');
    expect(say({ server: live, fields: typed })).toBe('Changes not live yet: saving shows them to readers.');
    expect(say({ server: live, decision: false })).toMatch(/^Saving takes the post off the site/);
    expect(say({ server: planned })).toBe('It goes live as it is here.');
    expect(say({ server: planned, fields: typed })).toBe('Changes not in what goes live yet: saving takes them in.');
  });

  it('is a change where the text or the date of what is public or planned differs', () => {
    const waits = (server: Saving['server'], fields = typed, date: Saving['date'] = null) =>
      hasWaitingChanges({ server, fields, date, decision: null });
    expect([null, draft].map((server) => waits(server))).toEqual([false, false]);
    expect([live, planned].map((server) => waits(server))).toEqual([true, true]);
    expect(waits(live, text('first'))).toBe(false);
    expect(waits(live, text('first'), { to: AT })).toBe(true);
  });
});

describe('an author who does not publish', () => {
  it('saves drafts, and keeps edits of what readers have or are to get', () => {
    expect([null, draft, live, planned].map((server) => canSave({ server }, false))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([null, draft, live, planned].map((server) => canSave({ server }, true))).toEqual([true, true, true, true]);
  });

  it('is told who publishes, and what becomes of edits', () => {
    const tell = (server: Saving['server'], fields = text('first')) =>
      describeForAuthor({ server, fields, decision: null, date: null });
    expect(tell(draft)).toBe('An administrator publishes it. Saving keeps it a draft.');
    expect(tell(live)).toMatch(/^You can go on writing/);
    expect(tell(planned)).toMatch(/^Planned by somebody who may publish/);
    expect(tell(live, text('typed on'))).toMatch(/^Your changes are kept/);
  });
});
