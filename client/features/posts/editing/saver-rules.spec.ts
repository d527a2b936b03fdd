import { describe, expect, it, jest } from '@jest/globals';
import { EMPTY_FORM } from '../../../../src/shared/contracts/admin-posts.js';
import type { Answer } from './saving-state.js';
import { type EditorSimulation, simulateEditor, type SimulatedAction } from './testing/editor-simulation.js';
import { text, withoutCaption } from './testing/saving-steps.js';

// What a caller of the saver gets; `saver.spec.ts` tells what comes of it.

const wait = (ms: number): SimulatedAction => ({ kind: 'wait', ms });
const type: SimulatedAction = { kind: 'type' };
const save: SimulatedAction = { kind: 'save' };

async function play(...actions: readonly SimulatedAction[]): Promise<EditorSimulation> {
  const simulation = simulateEditor();
  for (const action of actions) await simulation.act(action);
  return simulation;
}

/** The titles of the copies on this device, with why each is there. */
function copiesOf(simulation: EditorSimulation): string[] {
  return simulation.copies().map(({ reason, fields }) => `${reason}: ${fields.title}`);
}

/** The answer of a promise that may still be open. */
function watch<T>(promise: Promise<T>): { readonly value: T | undefined } {
  const watched: { value: T | undefined } = { value: undefined };
  void promise.then((value) => (watched.value = value));
  return watched;
}

describe('a saver', () => {
  it('begins with nothing refused and nothing replaced', () => {
    expect(simulateEditor().saver.getState()).toMatchObject({ isCopied: true, wasCopyRefused: false, replaced: 0 });
  });

  it('tells listeners of changes and of outcomes until they unsubscribe', async () => {
    const simulation = simulateEditor();
    const changed = jest.fn();
    const ended = jest.fn();
    const stops = [simulation.saver.subscribe(changed), simulation.saver.onOutcome(ended)];
    await simulation.act(save);
    await simulation.act(wait(200));
    expect(changed).toHaveBeenCalled();
    expect(ended).toHaveBeenCalledTimes(1);
    for (const stop of stops) stop();
    changed.mockClear();
    await simulation.act(save);
    await simulation.act(wait(200));
    expect(changed).not.toHaveBeenCalled();
    expect(ended).toHaveBeenCalledTimes(1);
  });

  it('takes an edit for one only if the text is another', async () => {
    const simulation = simulateEditor();
    const changed = jest.fn();
    simulation.saver.subscribe(changed);
    simulation.saver.edit({ ...simulation.saver.getState().fields });
    await simulation.act(wait(300));
    expect(changed).not.toHaveBeenCalled();
  });

  it('says of a save whether it had everything, and nothing of autosaves', async () => {
    const whole = await play(type, wait(2200), save, wait(200));
    expect(whole.outcomes).toMatchObject([{ kind: 'saved', isWhole: true }]);
    for (const change of [type, { kind: 'switch' }, { kind: 'date' }] as const) {
      const partly = await play(save, wait(50), change, wait(100));
      expect(partly.outcomes).toMatchObject([{ kind: 'saved', isWhole: false }]);
    }
  });

  it('says of a save that was overtaken that it had not everything', async () => {
    const simulation = await play({ kind: 'switch' }, { kind: 'network', mode: 'lose-answer' }, save, wait(200));
    expect(simulation.outcomes).toMatchObject([{ kind: 'unreachable' }]);
    simulation.server.publish();
    await simulation.act({ kind: 'network', mode: 'ok' });
    await simulation.act(wait(2000));
    expect(simulation.outcomes.at(-1)).toMatchObject({ kind: 'saved', isWhole: false });
  });

  it('tells of a lost race only where it is a conflict', async () => {
    const harmless = await play(type, { kind: 'other-dates' }, save, wait(500));
    expect(harmless.outcomes).toMatchObject([{ kind: 'saved' }]);
    const real = await play(type, { kind: 'other-saves' }, save, wait(500));
    expect(real.outcomes).toMatchObject([{ kind: 'conflict' }]);
  });

  it('sends at once when the network is back', async () => {
    const simulation = await play({ kind: 'network', mode: 'offline' }, type, save, wait(200));
    expect(simulation.saver.getState()).toMatchObject({ isOnline: false, trouble: { kind: 'offline' } });
    await simulation.act({ kind: 'network', mode: 'ok' });
    await simulation.act(wait(150));
    expect(simulation.server.saved).toBe('text 1');
  });

  it('shows no conflict, and sends again, when a request fails without an answer', async () => {
    const simulation = simulateEditor();
    const send = jest.spyOn(simulation.server, 'take').mockImplementationOnce(() => {
      throw new Error('No network');
    });
    await simulation.act(save);
    await simulation.act(wait(50));
    expect(simulation.saver.getState()).toMatchObject({ isInFlight: false, trouble: { kind: 'offline' } });
    expect(send).toHaveBeenCalledTimes(1);
  });
});

describe('a server that does not know a field', () => {
  it('has not saved the post: its text stays on this device, and is saved when a server knows the field', async () => {
    const simulation = simulateEditor();
    const { saver, server } = simulation;
    jest.spyOn(server, 'take').mockImplementationOnce(({ fields }) => {
      server.save(fields.title);
      return { kind: 'done', post: withoutCaption(server.post()) };
    });
    const fields = { ...text('text 1'), image_caption: 'A caption' };
    saver.edit(fields);
    await simulation.act(save);
    const answered = watch(saver.run((version) => Promise.resolve(server.change(version))));
    await simulation.act(wait(150));
    expect(simulation.outcomes).toEqual([{ kind: 'outdated' }]);
    expect(simulation.copies()).toMatchObject([{ reason: 'unsent', version: 2, fields }]);
    expect(answered.value).toEqual({ kind: 'outdated' });
    await simulation.act(wait(1200));
    expect(simulation.outcomes.slice(1)).toMatchObject([{ kind: 'saved', isWhole: true }]);
    expect(simulation.copies()).toEqual([]);
  });

  it('leaves mine of before a merge on this device, until the merged text is saved', async () => {
    const simulation = await play(type, { kind: 'other-saves' }, save, wait(200));
    const { saver, server } = simulation;
    saver.merge({ ...text('both'), image_caption: 'A caption' }, { mine: false, theirs: false });
    jest.spyOn(server, 'take').mockImplementationOnce(({ fields }) => {
      server.save(fields.title);
      return { kind: 'done', post: withoutCaption(server.post()) };
    });
    await simulation.act(save);
    await simulation.act(wait(150));
    expect(copiesOf(simulation).sort()).toEqual(['mine: text 1', 'unsent: both']);
    await simulation.act(wait(1200));
    expect(copiesOf(simulation)).toEqual([]);
  });
});

describe('settling', () => {
  it('sends what was typed, and waits until it is there', async () => {
    const simulation = await play(type);
    const settled = watch(simulation.saver.settle());
    await simulation.act(wait(50));
    expect(settled.value).toBeUndefined();
    await simulation.act(wait(100));
    expect(settled.value).toBe(true);
    expect(simulation.server.texts()).toContain('text 1');
    expect(await simulation.saver.settle()).toBe(true);
  });

  it('waits for another change of the post, and for what is sent after it', async () => {
    const simulation = await play({ kind: 'task' }, type);
    const settled = watch(simulation.saver.settle());
    await simulation.act(wait(150));
    expect(settled.value).toBeUndefined();
    await simulation.act(wait(100));
    expect(settled.value).toBe(true);
    expect(simulation.server.texts()).toContain('text 1');
  });

  it('is not done where the text or an answer is missing', async () => {
    for (const mode of ['lose-request', 'lose-answer', 'expired'] as const) {
      const simulation = await play(type, { kind: 'network', mode });
      const settled = watch(simulation.saver.settle());
      await simulation.act(wait(150));
      expect(settled.value).toBe(false);
    }
    const unanswered = await play({ kind: 'network', mode: 'lose-answer' }, save, wait(150));
    expect(await unanswered.saver.settle()).toBe(false);
  });
});

describe('looking how the post stands', () => {
  const look = (simulation: EditorSimulation) =>
    simulation.saver.look(() => Promise.resolve({ kind: 'done', post: simulation.server.post() }));

  it('goes on from what was only published, and shows another text as a conflict', async () => {
    const simulation = await play(type, wait(3000), { kind: 'other-publishes' });
    await look(simulation);
    expect(simulation.saver.getState()).toMatchObject({ conflict: null, overtaking: { isPublished: true } });
    await simulation.act(type);
    await simulation.act(wait(3000));
    expect(simulation.server.texts()).toContain('text 2');
    await simulation.act({ kind: 'other-saves' });
    await look(simulation);
    expect(simulation.saver.getState().conflict).not.toBeNull();
  });

  it('changes nothing where nothing has changed, or nobody answers', async () => {
    const simulation = await play(type, wait(3000));
    await look(simulation);
    await simulation.saver.look(() => Promise.reject(new Error('No network')));
    expect(simulation.saver.getState()).toMatchObject({ conflict: null, overtaking: null, trouble: null });
  });
});

describe('replacing the text', () => {
  it('puts a text that lies nowhere else aside, and returns it', async () => {
    const simulation = await play(type);
    const aside = simulation.saver.replace(text('old'), { revisionId: 'revision' });
    expect(aside).toMatchObject({ reason: 'mine', version: 1, fields: { title: 'text 1' } });
    expect(copiesOf(simulation).sort()).toEqual(['mine: text 1', 'unsent: old']);
    expect(simulation.saver.getState()).toMatchObject({ replaced: 1, restoredFrom: 'revision' });
  });

  it('puts nothing aside that is saved, or on this device already', async () => {
    const simulation = simulateEditor();
    expect(simulation.saver.replace(text('a'))).toBeNull();
    simulation.saver.replace(text('b'));
    expect(copiesOf(simulation).sort()).toEqual(['mine: a', 'unsent: b']);
    const [first] = simulation.copies().filter(({ reason }) => reason === 'mine');
    simulation.saver.replace(first!.fields, { copy: first! });
    // The copy of this editor has that text now.
    expect(copiesOf(simulation).sort()).toEqual(['mine: b', 'unsent: a']);
    expect(simulation.saver.replace(text('c'))).toEqual(first);
    // The texts of before stay, as nobody has saved them.
    await simulation.act(save);
    await simulation.act(wait(200));
    expect(copiesOf(simulation).sort()).toEqual(['mine: a', 'mine: b']);
  });

  it('forgets a copy that was taken into the form once the server has its text', async () => {
    const simulation = await play(type, wait(400), { kind: 'crash' }, { kind: 'restore' }, wait(2200));
    expect(simulation.server.texts()).toContain('text 1');
    expect(simulation.copies()).toEqual([]);
  });

  it('offers only what was written since when the tab crashes again, and nothing older once that is saved', async () => {
    const crash = { kind: 'crash' } as const;
    const restore = { kind: 'restore' } as const;
    const simulation = await play(type, wait(400), crash, restore, type, wait(400), crash);
    expect(copiesOf(simulation)).toEqual(['unsent: text 2']);
    for (const step of [restore, save, wait(200)]) await simulation.act(step);
    expect(simulation.server.texts()).toContain('text 2');
    expect(simulation.copies()).toEqual([]);
  });

  it('leaves that copy where it is while this device takes no copies', async () => {
    const simulation = await play(type, wait(400), { kind: 'crash' });
    simulation.storage.isFull = true;
    await simulation.act({ kind: 'restore' });
    expect(copiesOf(simulation)).toEqual(['unsent: text 1']);
  });
});

describe('discarding', () => {
  it('shows what the server holds, and forgets the text, its copies and what was decided', async () => {
    const simulation = await play(type, wait(400), { kind: 'crash' }, { kind: 'restore' }, { kind: 'switch' });
    simulation.saver.discard();
    expect(simulation.saver.getState()).toMatchObject({ decision: null, fields: text('text 0'), replaced: 2 });
    expect(simulation.copies()).toEqual([]);
    await simulation.act(wait(20_000));
    expect(simulation.server).toMatchObject({ version: 1, saved: 'text 0' });
  });
});

describe('ending a conflict', () => {
  const raced = () => play(type, { kind: 'other-saves' }, save, wait(200));

  it('puts the text that loses aside', async () => {
    const mine = await raced();
    expect(mine.saver.resolve('mine')).toBe(true);
    expect(mine.copies()).toMatchObject([{ reason: 'unsent' }, { reason: 'theirs', version: 2 }]);
    expect(mine.saver.getState()).toMatchObject({ replaced: 0, fields: text('text 1') });
    const theirs = await raced();
    expect(theirs.saver.resolve('theirs')).toBe(true);
    expect(theirs.copies()).toMatchObject([{ reason: 'mine', version: 1, fields: text('text 1') }]);
    expect(theirs.saver.getState()).toMatchObject({ replaced: 1, fields: text('text 2') });
  });

  it('goes on from the version that the post has now', async () => {
    const simulation = await raced();
    const current = { ...simulation.server.post(), version: 9 };
    simulation.saver.resolve('theirs', { current });
    expect(simulation.saver.getState().version).toBe(9);
  });

  it('notes a date that was typed with one’s own text only', async () => {
    const simulation = await play(type, { kind: 'date' }, { kind: 'other-saves' }, save, wait(200));
    simulation.saver.resolve('mine');
    const [unsent, theirs] = simulation.copies();
    expect(unsent).toHaveProperty('unsavedDate');
    expect(theirs).not.toHaveProperty('unsavedDate');
  });

  it('is nothing to do without one', async () => {
    const simulation = await play(type, wait(300));
    simulation.storage.isFull = true;
    expect(simulation.saver.resolve('theirs')).toBe(true);
    expect(simulation.title).toBe('text 1');
  });
});

describe('another change of the post', () => {
  it('waits for a save that is under way, and has the version that it made', async () => {
    const simulation = await play(type, save);
    const answered = watch(
      simulation.saver.run(async (version) => {
        expect(version).toBe(2);
        return simulation.server.change(version);
      }),
    );
    expect(answered.value).toBeUndefined();
    await simulation.act(wait(150));
    expect(answered.value).toMatchObject({ kind: 'done', post: { version: 3 } });
    expect(simulation.saver.getState()).toMatchObject({ version: 3, replaced: 0 });
  });

  it('waits for the change before it', async () => {
    const simulation = simulateEditor();
    const answers: (() => void)[] = [];
    const start = () =>
      simulation.saver.run(
        (version) => new Promise<Answer>((resolve) => answers.push(() => resolve(simulation.server.change(version)))),
      );
    const both = [start(), start()];
    expect(answers).toHaveLength(1);
    answers[0]?.();
    expect(await both[0]).toMatchObject({ kind: 'done', post: { version: 2 } });
    expect(answers).toHaveLength(2);
    answers[1]?.();
    expect(await both[1]).toMatchObject({ kind: 'done', post: { version: 3 } });
  });

  it('is given up where the save before it comes to nothing, or to a conflict, and not done long afterward', async () => {
    const hindered = async (...before: readonly SimulatedAction[]) => {
      const simulation = await play(...before);
      const task = jest.fn((version: number) => Promise.resolve(simulation.server.change(version)));
      const answered = watch(simulation.saver.run(task));
      await simulation.act(wait(150));
      const { value } = answered;
      await simulation.settle();
      simulation.saver.resolve('mine');
      await simulation.settle();
      expect(task).not.toHaveBeenCalled();
      return value?.kind;
    };
    const mode = (name: 'lose-answer' | 'broken' | 'expired'): SimulatedAction => ({ kind: 'network', mode: name });
    expect(await hindered(mode('lose-answer'), type, save)).toBe('unreachable');
    expect(await hindered(mode('broken'), type, save)).toBe('failed');
    expect(await hindered(mode('expired'), type, save)).toBe('signed-out');
    expect(await hindered({ kind: 'other-saves' }, type, save)).toBe('conflict');
    // It has come to nothing already, and waits to be repeated.
    expect(await hindered(mode('lose-answer'), type, save, wait(150))).toBe('unreachable');
    expect(await hindered({ kind: 'other-saves' }, type, save, wait(150))).toBe('conflict');
  });

  it('is done after a save that was refused, which is not repeated', async () => {
    const simulation = simulateEditor();
    const refused: Answer = { kind: 'refused', message: 'No' };
    jest.spyOn(simulation.server, 'take').mockReturnValueOnce(refused);
    await simulation.act(type);
    await simulation.act(save);
    const answered = watch(simulation.saver.run((version) => Promise.resolve(simulation.server.change(version))));
    await simulation.act(wait(150));
    expect(answered.value).toMatchObject({ kind: 'done' });
  });

  it('that replaces the text leaves what is typed meanwhile on this device, or in the form where there is no room', async () => {
    const discarding = async (isFull: boolean) => {
      const simulation = await play(type, wait(2200));
      const { saver, server, storage } = simulation;
      const ends: ((answer: Answer) => void)[] = [];
      const ended = saver.run(() => new Promise((resolve) => ends.push(resolve)), { isTextReplaced: true });
      await simulation.act(type);
      storage.isFull = isFull;
      server.save('text 0');
      ends[0]?.({ kind: 'done', post: server.post() });
      await ended;
      return simulation;
    };
    const done = await discarding(false);
    expect(done.title).toBe('text 0');
    expect(copiesOf(done)).toEqual(['mine: text 2']);
    const full = await discarding(true);
    expect(full.saver.getState()).toMatchObject({ fields: text('text 2'), replaced: 0 });
    await full.settle();
    expect(full.server.texts()).toContain('text 2');
  });

  it('that never comes to an answer counts as unreachable', async () => {
    const simulation = simulateEditor();
    const answer = await simulation.saver.run(() => Promise.reject(new Error('No network')));
    expect(answer).toEqual({ kind: 'unreachable' });
    expect(simulation.saver.getState().isTaskRunning).toBe(false);
  });

  it('shows the text that comes back only when asked to, and then forgets copies of the other', async () => {
    const discarding = async (mode: 'ok' | 'lose-answer') => {
      const simulation = await play(type, wait(400), { kind: 'crash' }, { kind: 'restore' });
      await simulation.saver.run(
        async (version) => {
          const answer = simulation.server.change(version);
          return mode === 'ok' ? answer : { kind: 'unreachable' };
        },
        { isTextReplaced: true },
      );
      return simulation;
    };
    const done = await discarding('ok');
    expect(done.saver.getState()).toMatchObject({ fields: text('text 0'), replaced: 2 });
    expect(done.copies()).toEqual([]);
    const failed = await discarding('lose-answer');
    expect(failed.saver.getState()).toMatchObject({ fields: text('text 1'), replaced: 1 });
    expect(copiesOf(failed)).not.toEqual([]);
  });
});

describe('the end of an editor', () => {
  it('leaves a text that is not on the server on this device, and stops', async () => {
    const simulation = await play(type);
    simulation.saver.finish();
    expect(copiesOf(simulation)).toEqual(['unsent: text 1']);
    expect(simulation.saver.isAbandoned).toBe(true);
    simulation.saver.edit(text('later'));
    await simulation.act(wait(20_000));
    expect(simulation.server.texts()).toEqual(['text 0']);
    expect(copiesOf(simulation)).toEqual(['unsent: text 1']);
  });

  it('still takes the answer to what was sent', async () => {
    const simulation = await play(type, save);
    simulation.saver.close();
    expect(copiesOf(simulation)).toEqual(['unsent: text 1']);
    await simulation.act(wait(150));
    expect(simulation.saver.getState()).toMatchObject({ request: null, version: 2 });
    expect(simulation.copies()).toEqual([]);
  });

  it('forgets the text and every copy of it where its author gives it up', async () => {
    const simulation = await play(type, wait(400), { kind: 'crash' }, { kind: 'restore' }, type, wait(300));
    expect(simulation.copies()).not.toEqual([]);
    simulation.saver.abandon();
    simulation.saver.copyNow();
    expect(simulation.copies()).toEqual([]);
    expect(simulation.saver.isAbandoned).toBe(true);
  });

  it('is no end for one that is opened again', async () => {
    const simulation = await play(type);
    simulation.saver.close();
    const close = simulation.saver.open();
    simulation.saver.edit(text('text 9'));
    await simulation.act(wait(2200));
    expect(simulation.server.texts()).toContain('text 9');
    expect(simulation.saver.isAbandoned).toBe(false);
    simulation.saver.edit({ ...EMPTY_FORM, title: 'text 10' });
    close();
    expect(copiesOf(simulation)).toEqual(['unsent: text 10']);
  });
});
