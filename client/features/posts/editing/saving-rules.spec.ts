import { describe, expect, it } from '@jest/globals';
import {
  EMPTY_FORM,
  type AdminPost,
  type PostForm,
  type WorkingCopy,
} from '../../../../src/shared/contracts/admin-posts.js';
import { findUnsavedDate, isToBePublished, toShownDate } from './publication.js';
import { IDLE_MS, LAST_RETRY_MS } from './saving-plan.js';
import { startSaving, type SavingEvent } from './saving-state.js';
import {
  answer,
  done,
  edit,
  makePost,
  published,
  run,
  save,
  T0,
  text,
  wake,
  withoutCaption,
} from './testing/saving-steps.js';

// Single rules; `saving.spec.ts` tells what comes of them together.

const JAN_1 = '2020-01-01T00:00:00.000Z';
const JAN_2 = '2020-01-02T00:00:00.000Z';
const unreachable = answer({ kind: 'unreachable' });
const keep: SavingEvent = { type: 'keep' };
const date = (to: string | null): SavingEvent => ({ type: 'date', to });
const decide = (isPublished: boolean): SavingEvent => ({ type: 'decide', isPublished });
const workingCopy = (fields: Partial<WorkingCopy>): WorkingCopy => ({
  fields: text('kept'),
  kept_at: '',
  kept_by: null,
  ...fields,
});
const unsent = run([
  [0, edit('a')],
  [0, save],
  [100, unreachable],
]);

describe('an editor that opens', () => {
  it('waits for nothing, and has the text that was kept, or an empty one', () => {
    const opened = startSaving(makePost({ working_copy: workingCopy({}) }), EMPTY_FORM, true);
    expect(opened).toMatchObject({ version: 3, fields: text('kept'), held: text('kept'), refused: null });
    expect(startSaving(null, text('new'), false)).toMatchObject({ version: 0, fields: text('new'), isOnline: false });
    expect(run([[0, wake]], opened)).toMatchObject({ request: null, wakeAt: null });
  });
});

describe('the time to send', () => {
  it('is now when asked to keep, also while a retry waits, and never without an edit', () => {
    const asked = run([
      [0, edit('a')],
      [10, keep],
    ]);
    expect(asked).toMatchObject({ isInFlight: true, wakeAt: null, request: { kind: 'keep' } });
    const again = run(
      [
        [200, edit('b')],
        [210, keep],
      ],
      unsent,
    );
    expect(again).toMatchObject({ isInFlight: true, request: { fields: text('a') } });
    expect(run([[10, keep]])).toMatchObject({ isInFlight: false, request: null });
  });

  it('is now when the clock was put back by an hour under an edit or a retry that waits', () => {
    const hour = 3_600_000;
    const typed = run([[0, edit('a')]]);
    expect(run([[IDLE_MS - hour, wake]], typed)).toMatchObject({ isInFlight: true, request: { kind: 'keep' } });
    expect(run([[1100 - hour, wake]], unsent)).toMatchObject({ isInFlight: true, request: { kind: 'save' } });
    // By what a clock is put right every day, nothing changes.
    expect(run([[-1000, wake]], typed)).toMatchObject({ isInFlight: false, wakeAt: T0 + IDLE_MS });
  });

  it('is half a minute after the last edit while the network is away, and soon when it is back', () => {
    const away = run([
      [0, { type: 'offline' }],
      [10, edit('a')],
    ]);
    expect(away.wakeAt).toBe(T0 + 10 + LAST_RETRY_MS);
    expect(run([[500, { type: 'online' }]], away)).toMatchObject({ isOnline: true, wakeAt: T0 + 10 + IDLE_MS });
  });

  it('of a retry is half a minute later while the network is away', () => {
    const away = run([
      [0, { type: 'offline' }],
      [0, save],
      [100, unreachable],
    ]);
    expect(away.wakeAt).toBe(T0 + 100 + LAST_RETRY_MS);
  });

  it('is counted from the first edit that the server has not got', () => {
    const typed = run([
      [0, edit('a')],
      [2000, wake],
      [2100, edit('b')],
      [11_000, edit('c')],
      [11_500, done('a', 4)],
    ]);
    expect(typed.wakeAt).toBe(T0 + 2100 + 10_000);
  });

  it('of what was kept and not typed since is not there', () => {
    const kept = run([
      [0, edit('a')],
      [2000, wake],
      [2100, done('a', 4)],
    ]);
    expect(kept).toMatchObject({ editedSince: null, wakeAt: null, request: null });
  });
});

describe('a press of the button while an attempt waits to be repeated', () => {
  it('repeats it at once, and only it, if it would save the same', () => {
    const pressed = run([[200, save]], unsent);
    expect(pressed).toMatchObject({ isInFlight: true, isSaveWanted: false, failures: 0, request: unsent.request });
    expect(run([[300, done('a', 4)]], pressed)).toMatchObject({ isInFlight: false, request: null });
  });

  it.each<[string, SavingEvent]>([
    ['another text', edit('b')],
    ['another publication', decide(true)],
    ['another date', date(JAN_1)],
  ])('saves %s after it', (_what, change) => {
    const pressed = run(
      [
        [150, change],
        [200, save],
      ],
      unsent,
    );
    expect(pressed).toMatchObject({ isSaveWanted: true, request: unsent.request });
    const followed = run([[300, done('a', 4)]], pressed);
    expect(followed).toMatchObject({ isInFlight: true, isSaveWanted: false, request: { kind: 'save', version: 4 } });
  });

  it('saves once more when the attempt is an autosave, or under way', () => {
    const kept = run([
      [0, edit('a')],
      [2000, wake],
      [2100, unreachable],
      [2200, save],
    ]);
    expect(kept).toMatchObject({ isInFlight: true, isSaveWanted: true, request: { kind: 'keep' } });
    const twice = run([
      [0, save],
      [50, save],
    ]);
    expect(twice.isSaveWanted).toBe(true);
  });

  it('hides what went wrong before, but not that nobody is signed in', () => {
    expect(run([[200, save]], unsent).trouble).toBeNull();
    const expired = run([
      [0, save],
      [100, answer({ kind: 'signed-out' })],
      [200, save],
    ]);
    expect(expired).toMatchObject({ trouble: { kind: 'session-expired' }, isInFlight: false });
  });
});

describe('an answer', () => {
  it('to nothing changes nothing', () => {
    const typed = run([[0, edit('a')]]);
    expect(run([[10, done('b', 9)]], typed)).toMatchObject({ version: 3, held: text('first'), fields: text('a') });
  });

  it('that names wrong fields is shown by the form, and is not sent again by itself', () => {
    const refused = run([
      [0, edit('a')],
      [0, save],
      [100, answer({ kind: 'refused', message: 'Wrong', fields: { title: ['Too long'] } })],
    ]);
    expect(refused).toMatchObject({ trouble: null, request: null, refused: null, failures: 0 });
    // It is still kept as a working copy, which may hold what cannot be saved.
    expect(run([[5000, wake]], refused).request).toMatchObject({ kind: 'keep', fields: text('a') });
  });

  it('that refuses an autosave is not asked for again, unless somebody saves', () => {
    const refused = run([
      [0, edit('a')],
      [2000, wake],
      [2100, answer({ kind: 'refused', message: 'Too large' })],
      [9000, wake],
    ]);
    expect(refused).toMatchObject({ request: null, wakeAt: null });
    const saved = run(
      [
        [9000, save],
        [9100, done('a', 4)],
      ],
      refused,
    );
    expect(saved).toMatchObject({ refused: null, trouble: null });
  });

  it('of trouble stays in sight while it is retried, whatever is typed', () => {
    const failed = run([
      [0, save],
      [100, answer({ kind: 'failed', message: 'Oh no' })],
      [200, edit('a')],
    ]);
    expect(failed.trouble).toEqual({ kind: 'failed', message: 'Oh no', isRetried: true });
  });

  it('of another kind is no trouble of the network, and stays when that is back', () => {
    const failed = run([
      [0, { type: 'task-start' }],
      [0, { type: 'task-end', answer: { kind: 'signed-out' }, isTextReplaced: false }],
      [10, { type: 'online' }],
    ]);
    expect(failed.trouble).toEqual({ kind: 'session-expired' });
    expect(run([[20, { type: 'signed-in' }]], failed).trouble).toBeNull();
    expect(run([[200, { type: 'signed-in' }]], unsent)).toMatchObject({
      isInFlight: false,
      trouble: { kind: 'offline' },
    });
  });
});

describe('a server that does not know a field', () => {
  const captioned = (title: string): PostForm => ({ ...text(title), image_caption: 'A caption' });
  const write = (fields: PostForm): SavingEvent => ({ type: 'edit', fields });
  const older = (title: string, version: number, overrides: Partial<AdminPost> = {}) =>
    answer({ kind: 'done', post: withoutCaption(makePost({ version, saved: text(title), ...overrides })) });
  const opened = startSaving(makePost({ saved: captioned('first') }), EMPTY_FORM, true);
  const keeping = run([
    [0, write(captioned('a'))],
    [2000, wake],
  ]);
  const lacking = run([[2100, older('a', 4)]], keeping);

  it('has not saved it: it is sent again after longer and longer pauses, from the version that came back', () => {
    const pressed = run([
      [0, write(captioned('a'))],
      [0, save],
    ]);
    const left = run([[100, older('a', 4)]], pressed);
    expect(left).toMatchObject({
      isInFlight: false,
      trouble: { kind: 'outdated' },
      held: text('a'),
      wakeAt: T0 + 1100,
      request: { kind: 'save', version: 4, fields: captioned('a'), needsFields: true },
    });
    expect(left.request?.saveId).not.toBe(pressed.request?.saveId);
    const asked = run(
      [
        [1100, wake],
        [1200, answer({ kind: 'outdated' })],
      ],
      left,
    );
    expect(asked).toMatchObject({ isInFlight: false, trouble: { kind: 'outdated' }, wakeAt: T0 + 3200 });
    expect(asked.request).toBe(left.request);
    const taken = run(
      [
        [3200, wake],
        [3300, answer({ kind: 'done', post: makePost({ version: 5, saved: captioned('a') }) })],
      ],
      asked,
    );
    expect(taken).toMatchObject({ request: null, trouble: null, failures: 0, held: captioned('a'), wakeAt: null });
  });

  it('has done what was decided, which is not done again', () => {
    const left = run([
      [0, write(captioned('a'))],
      [0, decide(true)],
      [0, date(JAN_1)],
      [0, save],
      [100, older('a', 4, { is_published: true, published_date: JAN_1 })],
    ]);
    expect(left).toMatchObject({ decision: null, date: null, overtaking: null });
    expect(left.request).toMatchObject({ kind: 'save', publication: null, date: null });
  });

  it('leaves it as it was saved, which is enough unless it was changed or emptied', () => {
    const same = run(
      [
        [0, write(captioned('a'))],
        [2000, wake],
        [2100, older('a', 4)],
        [3000, write(captioned('b'))],
        [5000, wake],
        [5100, older('b', 5)],
      ],
      opened,
    );
    expect(same).toMatchObject({ request: null, trouble: null, wakeAt: null, server: { saved: captioned('b') } });
    const emptied = run(
      [
        [0, write(text('first'))],
        [2000, wake],
        [2100, older('first', 4)],
      ],
      opened,
    );
    expect(emptied).toMatchObject({ trouble: { kind: 'outdated' }, held: captioned('first'), request: { version: 4 } });
  });

  it('says nothing of another text when it tells that the post was published', () => {
    const current = withoutCaption({ ...published, saved: captioned('first') });
    const told = run(
      [
        [0, write(captioned('a'))],
        [2000, wake],
        [2100, answer({ kind: 'conflict', current })],
      ],
      opened,
    );
    expect(told).toMatchObject({ conflict: null, overtaking: { isPublished: true }, request: { version: 7 } });
  });

  it('gets what is typed or saved since, in the place of what it did not take', () => {
    const typed = run([[2200, write(captioned('ab'))]], lacking);
    expect(typed).toMatchObject({ request: null, trouble: { kind: 'outdated' }, wakeAt: T0 + 2200 + IDLE_MS });
    expect(run([[4200, wake]], typed).request).toMatchObject({ kind: 'keep', version: 4, fields: captioned('ab') });
    const pressed = run([[2200, save]], lacking);
    expect(pressed).toMatchObject({ isInFlight: true, trouble: null, request: { kind: 'save', version: 4 } });
    const followed = run(
      [
        [2050, save],
        [2100, older('a', 4)],
      ],
      keeping,
    );
    expect(followed).toMatchObject({ isInFlight: true, isSaveWanted: false, request: { kind: 'save', version: 4 } });
  });

  it('is no trouble any more once it holds the text of the form', () => {
    const removed = run([[2200, edit('a')]], lacking);
    expect(removed).toMatchObject({ request: null, trouble: null, wakeAt: null });
    const removedMeanwhile = run(
      [
        [2050, edit('a')],
        [2100, older('a', 4)],
      ],
      keeping,
    );
    expect(removedMeanwhile).toMatchObject({ request: null, trouble: null, wakeAt: null });
  });

  it('or asks for one that the form does not have is asked again, as no form could show that', () => {
    const refusal = answer({ kind: 'refused', message: 'Invalid', fields: { is_published: ['It is missing'] } });
    const refused = run([[2100, refusal]], keeping);
    expect(refused).toMatchObject({ trouble: { kind: 'outdated' }, refused: null, wakeAt: T0 + 3100 });
    expect(refused.request).toBe(keeping.request);
    expect(run([[3100, wake]], refused).isInFlight).toBe(true);
  });
});

describe('a revision that was restored', () => {
  const restored = run([[0, { type: 'edit', fields: text('old'), restoredFrom: 'revision' }]]);

  it('is named by the save although somebody typed on, and forgotten with a reset', () => {
    const typed = run(
      [
        [10, edit('old, and new')],
        [20, save],
      ],
      restored,
    );
    expect(typed.request).toMatchObject({ restoredFrom: 'revision' });
    const reset = run([[10, { type: 'reset' }]], restored);
    expect(reset).toMatchObject({ restoredFrom: null, fields: text('first'), held: text('first'), wakeAt: null });
  });
});

describe('a reset', () => {
  it('shows what the server holds, and forgets what was decided', () => {
    const state = run([
      [0, edit('a')],
      [0, decide(true)],
      [0, date(JAN_1)],
      [0, { type: 'offer-date', date: { to: JAN_2 } }],
      [10, { type: 'reset' }],
    ]);
    expect(state).toMatchObject({ fields: text('first'), decision: null, date: null, offeredDate: null, wakeAt: null });
  });

  it('shows the empty form of a post that does not exist yet', () => {
    const state = run(
      [
        [0, edit('a')],
        [10, { type: 'reset' }],
      ],
      startSaving(null, text('empty'), true),
    );
    expect(state).toMatchObject({ fields: text('empty'), wakeAt: null });
  });
});

describe('another change of the post', () => {
  const end = (given: Extract<SavingEvent, { type: 'task-end' }>['answer'], isTextReplaced = false): SavingEvent => ({
    type: 'task-end',
    answer: given,
    isTextReplaced,
  });
  const started = run([
    [0, edit('a')],
    [0, { type: 'task-start' }],
  ]);

  it('shows its text only when asked to', () => {
    const post = makePost({ version: 4, saved: text('theirs') });
    const kept = run([[10, end({ kind: 'done', post })]], started);
    expect(kept).toMatchObject({ version: 4, fields: text('a'), isTaskRunning: false });
    const shown = run([[10, end({ kind: 'done', post }, true)]], started);
    expect(shown).toMatchObject({ version: 4, fields: text('theirs'), held: text('theirs'), wakeAt: null });
  });

  it('finds a conflict where texts differ, and goes on where they do not', () => {
    const theirs = makePost({ version: 7, saved: text('theirs') });
    const lost = run([[10, end({ kind: 'conflict', current: theirs })]], started);
    expect(lost).toMatchObject({ version: 3, conflict: { current: theirs, kind: 'keep' } });
    const told = run([[10, end({ kind: 'conflict', current: published })]], started);
    expect(told).toMatchObject({ version: 7, conflict: null, overtaking: { isPublished: true } });
  });

  it('leaves everything as it was when it fails', () => {
    for (const kind of ['unreachable', 'failed'] as const) {
      const ended = run([[10, end({ kind, message: '' })]], started);
      expect(ended).toMatchObject({ version: 3, fields: text('a'), trouble: null, isTaskRunning: false });
    }
  });
});

describe('a conflict', () => {
  it('about an autosave ends in an autosave, not in a save', () => {
    const theirs = makePost({ version: 7, saved: text('theirs') });
    const lost = run([
      [0, edit('mine')],
      [2000, wake],
      [2100, answer({ kind: 'conflict', current: theirs })],
    ]);
    expect(lost.conflict).toEqual({ current: theirs, kind: 'keep' });
    const mine = run([[2200, { type: 'resolve', choice: 'mine' }]], lost);
    expect(mine).toMatchObject({ held: text('theirs'), request: { kind: 'keep', version: 7, fields: text('mine') } });
  });

  it('is there with a post in the trash, although its texts are the same', () => {
    const trashed = makePost({ version: 8, state: 'trashed' });
    const lost = run([
      [0, edit('mine')],
      [0, save],
      [100, answer({ kind: 'conflict', current: trashed })],
    ]);
    expect(lost).toMatchObject({ conflict: { kind: 'save' }, isSaveWanted: false });
  });

  it('is there with a post that this editor was to create', () => {
    const lost = run(
      [
        [0, edit('mine')],
        [0, save],
        [100, answer({ kind: 'conflict', current: makePost({ version: 1, saved: text('') }) })],
      ],
      startSaving(null, EMPTY_FORM, true),
    );
    expect(lost.conflict).not.toBeNull();
  });

  it('that is none starts the save again, or sends nothing where nothing was typed', () => {
    const scheduled = makePost({ version: 8, state: 'scheduled' });
    const raced = answer({ kind: 'conflict', current: scheduled });
    const saved = run([
      [0, save],
      [100, raced],
    ]);
    expect(saved).toMatchObject({ conflict: null, request: { kind: 'save', version: 8 } });
    const same = run([
      [0, edit('a')],
      [2000, wake],
      [2050, edit('first')],
      [2100, raced],
    ]);
    expect(same).toMatchObject({ conflict: null, version: 8, request: null, wakeAt: null });
  });

  it('nothing is resolved without one', () => {
    expect(run([[0, { type: 'resolve', choice: 'theirs' }]], unsent)).toMatchObject({ fields: text('a'), version: 3 });
  });
});

describe('the switch', () => {
  it('of a new post says that it is a draft until it is moved', () => {
    const fresh = startSaving(null, EMPTY_FORM, true);
    expect(isToBePublished(fresh)).toBe(false);
    expect(run([[0, decide(false)]], fresh).decision).toBeNull();
    expect(isToBePublished(run([[0, decide(true)]], fresh))).toBe(true);
    expect(run([[0, save]], fresh).request).toMatchObject({ publication: null, date: null });
  });

  it('stands where it was put when a save that publishes is done', () => {
    const saved = run([
      [0, decide(true)],
      [0, save],
      [100, answer({ kind: 'done', post: makePost({ version: 4, is_published: true }) })],
    ]);
    expect(saved).toMatchObject({ decision: null, overtaking: null });
    expect(isToBePublished(saved)).toBe(true);
  });

  it('is overtaken by the plan only once its time has come', () => {
    const plan = (at: number) => makePost({ scheduled_at: new Date(T0 + at).toISOString() });
    const overtaken = (at: number, current = published) =>
      run(
        [
          [0, edit('a')],
          [2000, wake],
          [2100, answer({ kind: 'conflict', current })],
        ],
        startSaving(plan(at), EMPTY_FORM, true),
      ).overtaking;
    expect(overtaken(2100)).toMatchObject({ isPublished: true, isBySchedule: true });
    expect(overtaken(2101)).toMatchObject({ isPublished: true, isBySchedule: false });
    // The clock here may be slow: the first publication has the very time of the plan.
    const scheduled = { ...published, first_published_at: new Date(T0 + 60_000).toISOString() };
    expect(overtaken(60_000, scheduled)).toMatchObject({ isPublished: true, isBySchedule: true });
  });

  it('is overtaken by a publication that was taken back, which no plan does', () => {
    const opened = { ...published, scheduled_at: new Date(T0).toISOString() };
    const told = run(
      [
        [0, edit('a')],
        [2000, wake],
        [2100, answer({ kind: 'conflict', current: makePost({ version: 8 }) })],
      ],
      startSaving(opened, EMPTY_FORM, true),
    );
    expect(told.overtaking).toEqual({ isPublished: false, isBySchedule: false, isAsked: false });
  });
});

describe('a date', () => {
  it('that was typed goes with the next save, and with no autosave', () => {
    const typed = run([[0, date(JAN_1)]]);
    expect(toShownDate(typed)).toBe(JAN_1);
    expect(typed).toMatchObject({ request: null, wakeAt: null });
    expect(run([[0, save]], typed).request).toMatchObject({ date: { to: JAN_1 } });
    const kept = run(
      [
        [0, edit('a')],
        [2000, wake],
      ],
      typed,
    );
    expect(kept.request).toMatchObject({ kind: 'keep', date: null });
    expect(run([[2100, done('a', 4)]], kept).date).toEqual({ to: JAN_1 });
  });

  it('that the post has already is not sent', () => {
    const dated = startSaving(makePost({ published_date: JAN_1 }), EMPTY_FORM, true);
    expect(toShownDate(dated)).toBe(JAN_1);
    expect(run([[0, date(JAN_1)]], dated).date).toBeNull();
    expect(run([[0, date(null)]], dated).date).toEqual({ to: null });
    expect(toShownDate(run([[0, date(null)]], dated))).toBeNull();
    expect(run([[0, date(null)]], startSaving(null, EMPTY_FORM, true)).date).toBeNull();
  });

  it('that was typed back while a save with another one is under way is sent after it', () => {
    const underWay = run([
      [0, date(JAN_1)],
      [0, save],
      [50, date(null)],
    ]);
    expect(underWay.date).toEqual({ to: null });
    const ended = run(
      [[100, answer({ kind: 'done', post: makePost({ version: 4, published_date: JAN_1 }) })]],
      underWay,
    );
    expect(ended.date).toEqual({ to: null });
  });

  it('that was saved is not typed any more', () => {
    const saved = run([
      [0, date(JAN_1)],
      [0, save],
      [100, answer({ kind: 'done', post: makePost({ version: 4, published_date: JAN_1 }) })],
    ]);
    expect(saved.date).toBeNull();
  });

  it('that is offered changes nothing until it is taken, or a save passes it over', () => {
    const offered = startSaving(makePost({ working_copy: workingCopy({ unsaved_date: JAN_1 }) }), EMPTY_FORM, true);
    expect(offered).toMatchObject({ date: null, offeredDate: { to: JAN_1 } });
    expect(run([[0, save]], offered).request).toMatchObject({ date: null });
    expect(run([[0, date(JAN_1)]], offered)).toMatchObject({ date: { to: JAN_1 }, offeredDate: null });
    expect(run([[0, date(JAN_2)]], offered)).toMatchObject({ date: { to: JAN_2 }, offeredDate: { to: JAN_1 } });
    const kept = run(
      [
        [0, edit('a')],
        [2000, wake],
        [2100, done('a', 4)],
      ],
      offered,
    );
    expect(kept.offeredDate).toEqual({ to: JAN_1 });
    const saved = run(
      [
        [0, save],
        [100, done('kept', 4)],
      ],
      offered,
    );
    expect(saved.offeredDate).toBeNull();
  });

  it('is unsaved if it lies nowhere but here', () => {
    const offered = startSaving(makePost({ working_copy: workingCopy({ unsaved_date: JAN_1 }) }), EMPTY_FORM, true);
    expect(findUnsavedDate(offered)).toBeNull();
    expect(findUnsavedDate(run([[0, date(JAN_2)]], offered))).toEqual({ to: JAN_2 });
    expect(findUnsavedDate(run([[0, { type: 'offer-date', date: { to: JAN_2 } }]]))).toEqual({ to: JAN_2 });
    expect(findUnsavedDate(run([]))).toBeNull();
  });

  it('that was typed makes a conflict of another one that was saved, and no other date does', () => {
    const current = makePost({ version: 7, published_date: JAN_2 });
    const raced = answer({ kind: 'conflict', current });
    const asked = run([
      [0, date(JAN_1)],
      [0, save],
      [100, raced],
    ]);
    expect(asked.conflict).toEqual({ current, kind: 'save' });
    const followed = run([
      [0, save],
      [100, raced],
    ]);
    expect(followed).toMatchObject({ conflict: null, request: { version: 7 } });
  });
});
