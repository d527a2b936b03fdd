import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { EMPTY_FORM, type AdminPost } from '../../../../src/shared/contracts/admin-posts.js';
import { toForm, withTitle } from './fields.js';
import { IDLE_MS, LONGEST_WAIT_MS } from './saving-plan.js';
import { startSaving, type Saving, type SavingEvent } from './saving-state.js';
import { isToBePublished } from './publication.js';
import { describeSaving as describeIn, toAnnouncement, toTime } from './saving-words.js';
import { answer, done, edit, makePost, published, run, save, T0, text, wake } from './testing/saving-steps.js';

const describeSaving = (state: Saving) => describeIn({ ...state, timeZone: 'UTC' });

describe('keeping', () => {
  it('waits for a pause', () => {
    const typed = run([
      [0, edit('a')],
      [1000, edit('ab')],
    ]);
    expect(typed.isInFlight).toBe(false);
    expect(typed.wakeAt).toBe(T0 + 1000 + IDLE_MS);
    expect(run([[3000, wake]], typed).request).toMatchObject({ kind: 'keep', version: 3, fields: text('ab') });
  });

  it('does not wait for ever while somebody types on', () => {
    const strokes = Array.from({ length: 11 }, (_, second) => [second * 1000, edit(`${second}`)] as const);
    expect(run(strokes.slice(0, -1)).wakeAt).toBe(T0 + LONGEST_WAIT_MS);
    expect(run(strokes).isInFlight).toBe(true);
  });

  it('sends nothing that is there already', () => {
    const state = run([
      [0, edit('a')],
      [500, edit('first')],
      [9000, wake],
    ]);
    expect(state).toMatchObject({ request: null, wakeAt: null });
  });

  it('sends what was typed meanwhile from the version that came back, under an id of its own', () => {
    const first = run([
      [0, edit('a')],
      [2000, wake],
      [2100, edit('b')],
    ]);
    expect(first.request?.fields).toEqual(text('a'));
    const second = run(
      [
        [2200, done('a', 4)],
        [5000, wake],
      ],
      first,
    );
    expect(second.request).toMatchObject({ version: 4, fields: text('b') });
    expect(second.request?.saveId).not.toBe(first.request?.saveId);
  });

  it('does not send again what the server will never take, until it is changed', () => {
    const refused = run([
      [0, edit('a')],
      [2000, wake],
      [2100, answer({ kind: 'refused', message: 'Too large' })],
      [60_000, wake],
    ]);
    expect(refused).toMatchObject({ request: null, wakeAt: null, trouble: { message: 'Too large', isRetried: false } });
    expect(run([[61_000, edit('b')]], refused)).toMatchObject({ trouble: null, wakeAt: T0 + 61_000 + IDLE_MS });
  });
});

describe('saving', () => {
  it('follows a running autosave and starts from its version', () => {
    const pressed = run([
      [0, edit('a')],
      [2000, wake],
      [2100, edit('b')],
      [2200, save],
    ]);
    expect(pressed).toMatchObject({ attempt: 1, isSaveWanted: true });
    expect(run([[2300, done('a', 4)]], pressed)).toMatchObject({
      attempt: 2,
      isSaveWanted: false,
      request: { kind: 'save', version: 4, fields: text('b') },
    });
  });

  it('saves a text that is kept already, since only that shows it to readers', () => {
    expect(run([[0, save]]).request?.kind).toBe('save');
  });

  it('repeats the very same request when the answer is lost, whatever was typed since', () => {
    const lost = run([
      [0, edit('a')],
      [0, save],
      [100, answer({ kind: 'unreachable' })],
      [200, edit('b')],
    ]);
    expect(lost).toMatchObject({ isInFlight: false, trouble: { kind: 'offline' }, wakeAt: T0 + 1100 });
    const again = run([[1100, wake]], lost);
    expect(again.isInFlight).toBe(true);
    expect(again.request).toBe(lost.request);
    expect(run([[1200, done('a', 4)]], again)).toMatchObject({ held: text('a'), fields: text('b'), trouble: null });
  });

  it('waits longer and longer, up to half a minute, and not at all once the network is back', () => {
    let state = run([[0, save]]);
    const waits = [0, 1, 2, 3, 4, 5, 6].map(() => {
      state = run([[0, answer({ kind: 'failed', message: 'Oh no' })]], state);
      const wait = state.wakeAt! - T0;
      state = { ...state, retryAt: 0 };
      state = run([[0, wake]], state);
      return wait;
    });
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    const back = run(
      [
        [0, answer({ kind: 'unreachable' })],
        [10, { type: 'online' }],
      ],
      state,
    );
    expect(back).toMatchObject({ isInFlight: true, trouble: null });
  });

  it('waits for the password and then goes on where it was', () => {
    const expired = run([
      [0, edit('a')],
      [0, save],
      [100, answer({ kind: 'signed-out' })],
      [90_000, wake],
    ]);
    expect(expired).toMatchObject({ isInFlight: false, wakeAt: null, trouble: { kind: 'session-expired' } });
    const again = run([[91_000, { type: 'signed-in' }]], expired);
    expect(again).toMatchObject({ isInFlight: true, request: expired.request });
  });

  it('names the revision that the text came from once, in the save', () => {
    const restored = run([
      [0, { type: 'edit', fields: text('old'), restoredFrom: 'revision' }],
      [2000, wake],
      [2100, done('old', 4)],
      [2200, save],
    ]);
    expect(restored.request).toMatchObject({ kind: 'save', restoredFrom: 'revision' });
    expect(run([[2300, done('old', 5)]], restored).restoredFrom).toBeNull();
  });
});

describe('a lost race', () => {
  const theirs = makePost({ version: 7, saved: text('theirs') });
  const raced = run([
    [0, edit('mine')],
    [0, save],
    [100, answer({ kind: 'conflict', current: theirs })],
  ]);

  it('stops everything and keeps both texts', () => {
    expect(raced).toMatchObject({ request: null, wakeAt: null, fields: text('mine'), conflict: { current: theirs } });
    expect(
      run(
        [
          [200, save],
          [300, edit('mine too')],
          [90_000, wake],
        ],
        raced,
      ),
    ).toMatchObject({
      isInFlight: false,
      fields: text('mine too'),
    });
  });

  it('saves over the version that won, when told to', () => {
    const mine = run([[200, { type: 'resolve', choice: 'mine' }]], raced);
    expect(mine).toMatchObject({ conflict: null, request: { kind: 'save', version: 7, fields: text('mine') } });
  });

  it('shows that version, when told to', () => {
    const taken = run([[200, { type: 'resolve', choice: 'theirs' }]], raced);
    expect(taken).toMatchObject({ conflict: null, request: null, version: 7, fields: text('theirs'), wakeAt: null });
  });

  it('is none when the other version holds the same texts, and says that the post is public now', () => {
    const kept = run([
      [0, edit('mine')],
      [2000, wake],
      [2100, answer({ kind: 'conflict', current: published })],
    ]);
    expect(kept).toMatchObject({
      conflict: null,
      overtaking: { isPublished: true, isBySchedule: false, isAsked: false },
      request: { kind: 'keep', version: 7, fields: text('mine') },
    });
    expect(isToBePublished(kept)).toBe(true);
  });
});

describe('publishing', () => {
  const move = (isPublished: boolean): SavingEvent => ({ type: 'decide', isPublished });
  const taken = makePost({ version: 7, is_published: false });
  const opened = startSaving(published, EMPTY_FORM, true);

  it('is decided by the switch alone, and only if it stands elsewhere than at first', () => {
    expect(run([[0, save]], opened).request).toMatchObject({ kind: 'save', publication: null });
    const moved = run(
      [
        [0, move(false)],
        [1, save],
      ],
      opened,
    );
    expect(moved.request).toMatchObject({ publication: false });
    const back = run(
      [
        [0, move(false)],
        [0, move(true)],
        [1, save],
      ],
      opened,
    );
    expect(back.request).toMatchObject({ publication: null });
  });

  it('is in no text that is kept, and survives the keeping', () => {
    const kept = run([
      [0, move(true)],
      [0, edit('a')],
      [2000, wake],
    ]);
    expect(kept.request).toMatchObject({ kind: 'keep', publication: null });
    expect(run([[2100, done('a', 4)]], kept).decision).toBe(true);
  });

  it('is not what a working copy says that was kept before the post was published, or taken off the site', () => {
    const copy = { fields: text('kept'), kept_at: '', kept_by: null };
    for (const post of [published, taken]) {
      const reopened = startSaving({ ...post, working_copy: copy }, EMPTY_FORM, true);
      expect(isToBePublished(reopened)).toBe(post.is_published);
      expect(run([[0, save]], reopened).request).toMatchObject({ fields: text('kept'), publication: null });
    }
  });

  it('is asked about when somebody else has taken the post off the site, or its time has come, before it is saved', () => {
    const stopped = run(
      [
        [0, save],
        [100, answer({ kind: 'conflict', current: taken })],
      ],
      { ...opened, version: 6 },
    );
    expect(stopped).toMatchObject({
      conflict: null,
      isSaveWanted: false,
      request: null,
      overtaking: { isPublished: false, isAsked: true },
    });
    const agreed = run(
      [
        [200, { type: 'acknowledge' }],
        [200, save],
      ],
      stopped,
    );
    expect(agreed.request).toMatchObject({ kind: 'save', version: 7, publication: null });

    const planned = startSaving(makePost({ scheduled_at: new Date(T0 + 50).toISOString() }), EMPTY_FORM, true);
    const due = run(
      [
        [0, save],
        [100, answer({ kind: 'conflict', current: published })],
      ],
      planned,
    );
    expect(due.overtaking).toEqual({ isPublished: true, isBySchedule: true, isAsked: true });
  });

  it('is asked about too when an autosave found out, until that was read or the switch was moved', () => {
    const told = run(
      [
        [0, edit('mine')],
        [2000, wake],
        [2100, answer({ kind: 'conflict', current: taken })],
        [2200, done('mine', 8)],
      ],
      opened,
    );
    expect(told.overtaking).toMatchObject({ isPublished: false, isAsked: false });
    expect(run([[3000, save]], told)).toMatchObject({ request: null, overtaking: { isAsked: true } });
    expect(run([[3000, move(true)]], told)).toMatchObject({ overtaking: null, decision: true });
  });

  it('goes on without a question when somebody else has done the same', () => {
    const same = run(
      [
        [0, move(false)],
        [0, save],
        [100, answer({ kind: 'conflict', current: taken })],
      ],
      opened,
    );
    expect(same).toMatchObject({ overtaking: null, request: { version: 7, publication: null } });
  });

  it('keeps a switch that was moved back while a save was under way', () => {
    const underWay = run([
      [0, move(true)],
      [0, save],
      [50, move(false)],
    ]);
    expect(underWay.request).toMatchObject({ publication: true });
    const ended = run([[100, answer({ kind: 'done', post: published })]], underWay);
    expect(ended).toMatchObject({ decision: false, request: null });
    expect(isToBePublished(ended)).toBe(false);
  });

  it('follows who unpublished the post after a save whose answer was lost', () => {
    const repeated = run([
      [0, move(true)],
      [0, save],
      [100, answer({ kind: 'unreachable' })],
      [1100, wake],
      [1200, answer({ kind: 'done', post: makePost({ version: 8 }) })],
    ]);
    expect(repeated).toMatchObject({ decision: null, overtaking: { isPublished: false } });
  });

  it('is not decided by a conflict about texts, nor by bringing a deleted post back', () => {
    const theirs = makePost({ version: 8, is_published: false, saved: text('theirs') });
    const lost = run(
      [
        [0, edit('mine')],
        [0, save],
        [100, answer({ kind: 'conflict', current: theirs })],
      ],
      opened,
    );
    const resolve = (choice: 'mine' | 'theirs', current?: AdminPost): SavingEvent => ({
      type: 'resolve',
      choice,
      ...(current ? { current } : {}),
    });
    const mine = run([[200, resolve('mine')]], lost);
    expect(mine.request).toMatchObject({ version: 8, fields: text('mine'), publication: null });
    expect(run([[200, resolve('theirs')]], lost)).toMatchObject({ fields: text('theirs'), decision: null });

    const trashed = makePost({ version: 8, state: 'trashed', is_published: false });
    const deleted = run(
      [
        [0, move(false)],
        [0, move(true)],
        [0, save],
        [100, answer({ kind: 'conflict', current: trashed })],
        [200, resolve('mine', makePost({ version: 9 }))],
      ],
      opened,
    );
    expect(deleted.request).toMatchObject({ version: 9, publication: null });
  });
});

describe('other changes of the post', () => {
  it('hold saving back and lend it their version', () => {
    const busy = run([
      [0, { type: 'task-start' }],
      [0, edit('a')],
      [5000, wake],
      [5000, save],
    ]);
    expect(busy.isInFlight).toBe(false);
    const scheduled = makePost({ version: 4, state: 'scheduled' });
    const ended: SavingEvent = { type: 'task-end', answer: { kind: 'done', post: scheduled }, isTextReplaced: false };
    expect(run([[6000, ended]], busy).request).toMatchObject({ version: 4, fields: text('a') });
  });
});

describe('what the bar says', () => {
  afterEach(() => void jest.useRealTimers());

  const kept = makePost({
    version: 4,
    working_copy: { fields: text('a'), kept_at: '2025-01-05T14:05:00.000Z', kept_by: null },
  });
  const states: readonly (readonly [string, Saving])[] = [
    ['saved', run([])],
    ['nothing', startSaving(null, EMPTY_FORM, true)],
    ['unsaved', run([[0, edit('a')]])],
    [
      'keeping',
      run([
        [0, edit('a')],
        [2000, wake],
      ]),
    ],
    [
      'kept',
      run([
        [0, edit('a')],
        [2000, wake],
        [2100, answer({ kind: 'done', post: kept })],
      ]),
    ],
    ['saving', run([[0, save]])],
    [
      'offline',
      run([
        [0, save],
        [0, answer({ kind: 'unreachable' })],
      ]),
    ],
    [
      'offline',
      run([
        [0, { type: 'offline' }],
        [0, edit('a')],
      ]),
    ],
    [
      'session-expired',
      run([
        [0, save],
        [0, answer({ kind: 'signed-out' })],
      ]),
    ],
    [
      'conflict',
      run([
        [0, save],
        [0, answer({ kind: 'conflict', current: makePost({ saved: text('b') }) })],
      ]),
    ],
    [
      'failed',
      run([
        [0, save],
        [0, answer({ kind: 'failed', message: 'Oh no' })],
      ]),
    ],
    [
      'outdated',
      run([
        [0, save],
        [0, answer({ kind: 'outdated' })],
      ]),
    ],
  ];

  it.each(states)('is %s', (place, state) => {
    expect(describeSaving(state).place).toBe(place);
  });

  it.each([
    ['14:02', '2026-11-07T07:30:00.000Z'],
    ['Nov 6, 14:02', '2026-11-07T08:30:00.000Z'],
    ['Nov 6, 14:02', '2027-01-01T07:30:00.000Z'],
    ['Nov 6, 2026, 14:02', '2027-01-01T08:00:00.000Z'],
  ])("has a time as %s at %s, by the days of the site's zone", (words, now) => {
    jest.useFakeTimers({ now: new Date(now) });
    expect(toTime('2026-11-06T22:02:00.000Z', 'America/Los_Angeles')).toBe(words);
  });

  it('has the day of what was saved or kept before today', () => {
    jest.useFakeTimers({ now: new Date('2025-01-06T09:00:00.000Z') });
    const say = (post: AdminPost) => describeSaving(startSaving(post, EMPTY_FORM, true));
    expect(say(published)).toMatchObject({ headline: 'Saved Jan 5, 14:02', detail: 'live' });
    expect(say(makePost())).toMatchObject({ headline: 'Saved as a draft Jan 5, 14:02' });
    expect(say({ ...kept, is_published: true })).toMatchObject({ detail: 'kept Jan 5, 14:05' });
  });

  it('calls edits of a draft that was public once unsaved, and not incomplete', () => {
    const kept = { fields: text('a'), kept_at: new Date(T0).toISOString(), kept_by: null };
    const say = (first_published_at: string | null) =>
      describeSaving(startSaving(makePost({ working_copy: kept, first_published_at }), EMPTY_FORM, true)).detail;
    expect(say(null)).toBe('not complete yet');
    expect(say(kept.kept_at)).toBe('not saved yet');
  });

  it('is said aloud only when something is wrong or right again, not at every autosave', () => {
    const say = (from: number, to: number) =>
      toAnnouncement(describeSaving(states[from]![1]), describeSaving(states[to]![1]));
    expect(say(0, 2)).toBeNull();
    expect(say(2, 3)).toBeNull();
    expect(say(3, 4)).toBeNull();
    expect(say(3, 6)).toMatch(/Offline/);
    expect(say(6, 4)).toMatch(/^(?:Draft kept|Changes not live yet)/);
    expect(say(5, 0)).toMatch(/^Saved/);
  });
});

describe('the slug', () => {
  it('follows the title until the post was published for the first time', () => {
    const fields = toForm(makePost());
    expect(withTitle(fields, 'Café & Co', false).slug).toBe('cafe-co');
    expect(withTitle({ ...fields, slug: 'kept' }, 'Another', true).slug).toBe('kept');
  });
});
