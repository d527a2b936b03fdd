import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PROPERTY_SEED } from '../../../../test/support/property-seed.js';
import { type EditorSimulation, simulateEditor, type SimulatedAction } from './testing/editor-simulation.js';

const wait = (ms: number): SimulatedAction => ({ kind: 'wait', ms });
const type = (): SimulatedAction => ({ kind: 'type' });

async function play(...actions: readonly SimulatedAction[]): Promise<EditorSimulation> {
  const simulation = simulateEditor();
  for (const action of actions) await simulation.act(action);
  return simulation;
}

describe('an editor', () => {
  it('keeps a copy on this device until the server has the very same text', async () => {
    const simulation = await play(type(), wait(300));
    expect(simulation.copies()).toMatchObject([{ reason: 'unsent', version: 1, fields: { title: 'text 1' } }]);
    await simulation.act(wait(2100));
    expect(simulation.copies()).toEqual([]);
    expect(simulation.server.texts()).toContain('text 1');
  });

  it('has what was on the screen for a moment, while somebody types on without a pause', async () => {
    const simulation = simulateEditor();
    // Faster than any autosave: the server knows nothing of it yet.
    for (let key = 0; key < 90; key += 1) {
      await simulation.act(type());
      await simulation.act(wait(100));
    }
    expect(simulation.server.texts()).toEqual(['text 0']);
    await simulation.act({ kind: 'crash' });
    expect(Number(/\d+/.exec(simulation.copies()[0]?.fields.title ?? '')?.[0])).toBeGreaterThanOrEqual(87);
  });

  it('brings the text back after a crash, and forgets the copy once it is saved', async () => {
    const simulation = await play(type(), wait(400), { kind: 'crash' }, { kind: 'restore' });
    expect(simulation.title).toBe('text 1');
    await simulation.act({ kind: 'save' });
    await simulation.act(wait(500));
    expect(simulation.server.saved).toBe('text 1');
    expect(simulation.copies()).toEqual([]);
  });

  it('says so when this device takes no copy', async () => {
    const simulation = simulateEditor();
    simulation.storage.isFull = true;
    await simulation.act(type());
    await simulation.act(wait(300));
    expect(simulation.saver.getState().isCopied).toBe(false);
    simulation.storage.isFull = false;
    await simulation.act(type());
    await simulation.act(wait(300));
    expect(simulation.saver.getState()).toMatchObject({ isCopied: true, wasCopyRefused: true });
  });

  it('restores texts without what the switch said', async () => {
    const simulation = await play({ kind: 'switch' }, type(), wait(400), { kind: 'crash' }, { kind: 'restore' });
    expect(simulation.title).toBe('text 1');
    expect(simulation.saver.getState().decision).toBeNull();
    await simulation.act({ kind: 'save' });
    await simulation.act(wait(500));
    expect(simulation.server).toMatchObject({ saved: 'text 1', isPublished: false });
  });

  it('keeps a date that was typed on this device, and only offers it after a crash', async () => {
    const simulation = await play({ kind: 'date' }, wait(400), { kind: 'crash' });
    expect(simulation.copies()).toMatchObject([{ unsavedDate: { to: '2020-01-01T00:00:00.000Z' } }]);
    const [copy] = simulation.copies();
    simulation.saver.replace(copy!.fields, { copy: copy! });
    expect(simulation.saver.getState()).toMatchObject({ date: null, offeredDate: copy!.unsavedDate });
    // It lies on this device until it is saved, or a save has passed it over.
    expect(simulation.copies().at(-1)).toMatchObject({ unsavedDate: copy!.unsavedDate });
    simulation.saver.chooseDate(copy!.unsavedDate!.to);
    await simulation.act({ kind: 'save' });
    await simulation.act(wait(500));
    expect(simulation.server.date).toBe('2020-01-01T00:00:00.000Z');
    expect(simulation.copies()).toEqual([]);
  });

  it('shows a text from before others wrote beside theirs, and sends neither before somebody chose', async () => {
    const simulation = await play({ kind: 'type' }, { kind: 'save' }, wait(500));
    const { saver } = simulation;
    const { server, fields } = saver.getState();
    const [base, late] = [fields, { ...fields, content: '<p>Late</p>' }];
    const copy = { key: 'late', postId: saver.postId, version: 0, at: '', reason: 'unsent' as const, fields: late };
    saver.replace(late, { copy, base });
    await simulation.act(wait(60_000));
    expect(saver.getState()).toMatchObject({ fields: late, conflict: { current: server, base }, request: null });
    // Another text in its place is contested by nobody.
    saver.replace(fields);
    expect(saver.getState().conflict).toBeNull();
    saver.replace(late, { copy, base });
    saver.resolve('theirs');
    expect(saver.getState()).toMatchObject({ fields: base, conflict: null });
    expect(simulation.copies()).toMatchObject([{ reason: 'mine', fields: late }]);
  });

  it('asks who typed a date when somebody else has chosen another one meanwhile', async () => {
    const simulation = await play({ kind: 'date' }, { kind: 'other-dates' }, { kind: 'save' }, wait(500));
    expect(simulation.server.date).toBe('2020-01-02T00:00:00.000Z');
    expect(simulation.saver.getState()).toMatchObject({ date: { to: '2020-01-01T00:00:00.000Z' } });
    expect(simulation.saver.getState().conflict).not.toBeNull();
    await simulation.act({ kind: 'resolve', choice: 'theirs' });
    expect(simulation.saver.getState()).toMatchObject({ date: null, conflict: null });
  });

  it('decides no conflict against a text that it could not put aside, unless told to', async () => {
    const simulation = await play(type(), { kind: 'other-saves' }, { kind: 'save' }, wait(200));
    simulation.storage.isFull = true;
    expect(simulation.saver.resolve('theirs')).toBe(false);
    expect(simulation.title).toBe('text 1');
    expect(simulation.saver.resolve('theirs', { isForced: true })).toBe(true);
  });

  it('puts a merged text into the form, and keeps mine on this device until it is saved', async () => {
    const simulation = await play(type(), { kind: 'other-saves' }, { kind: 'save' }, wait(200));
    const merged = { ...simulation.saver.getState().fields, title: 'text 1 and text 2' };
    expect(simulation.saver.merge(merged, { mine: false, theirs: false })).toBe(true);
    expect(simulation.saver.getState()).toMatchObject({ fields: merged, conflict: null, replaced: 1, version: 2 });
    expect(simulation.server.saved).toBe('text 2');
    // An autosave is not the save that its author asks for.
    await simulation.act(wait(3000));
    expect(simulation.server.texts()).toContain('text 1 and text 2');
    expect(simulation.copies()).toMatchObject([{ reason: 'mine', fields: { title: 'text 1' } }]);
    await simulation.act({ kind: 'save' });
    await simulation.act(wait(200));
    expect(simulation.server.saved).toBe('text 1 and text 2');
    expect(simulation.copies()).toEqual([]);
  });

  it('keeps what a merge left out on this device, and merges nothing without room for it', async () => {
    const simulation = await play(type(), { kind: 'other-saves' }, { kind: 'save' }, wait(200));
    const merged = { ...simulation.saver.getState().fields, title: 'half' };
    simulation.storage.isFull = true;
    expect(simulation.saver.merge(merged, { mine: true, theirs: true })).toBe(false);
    expect(simulation.saver.getState().conflict).not.toBeNull();
    simulation.storage.isFull = false;
    expect(simulation.saver.merge(merged, { mine: true, theirs: true })).toBe(true);
    await simulation.act({ kind: 'save' });
    await simulation.act(wait(200));
    const kept = simulation.copies().map(({ reason, fields }) => `${reason}: ${fields.title}`);
    expect(kept.sort()).toEqual(['mine: text 1', 'theirs: text 2']);
  });

  it('runs another change of the post between two saves, from the version that is current then', async () => {
    const simulation = await play(type(), wait(2000), { kind: 'task' }, type(), { kind: 'save' }, wait(500));
    expect(simulation.server.saved).toBe('text 2');
    expect(simulation.saver.getState().conflict).toBeNull();
  });

  it('tells how each press of the button ended', async () => {
    const simulation = await play(
      type(),
      { kind: 'save' },
      wait(200),
      { kind: 'network', mode: 'expired' },
      { kind: 'save' },
      wait(200),
    );
    expect(simulation.outcomes.map(({ kind }) => kind)).toEqual(['saved', 'signed-out']);
    await simulation.act({ kind: 'sign-in' });
    await simulation.act(wait(200));
    expect(simulation.outcomes.at(-1)).toMatchObject({ kind: 'saved', isWhole: true });
  });
});

const ownAction: fc.Arbitrary<SimulatedAction> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(type()) },
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 12_000 }).map(wait) },
  { weight: 2, arbitrary: fc.constant<SimulatedAction>({ kind: 'save' }) },
  { weight: 1, arbitrary: fc.constant<SimulatedAction>({ kind: 'task' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<SimulatedAction>({ kind: 'switch' }, { kind: 'date' }, { kind: 'acknowledge' }),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('ok', 'ok', 'lose-request', 'lose-answer', 'broken', 'expired', 'offline')
      .map((mode): SimulatedAction => ({ kind: 'network', mode })),
  },
  { weight: 2, arbitrary: fc.constant<SimulatedAction>({ kind: 'sign-in' }) },
  { weight: 1, arbitrary: fc.constant<SimulatedAction>({ kind: 'crash' }) },
  { weight: 1, arbitrary: fc.constant<SimulatedAction>({ kind: 'close' }) },
  { weight: 2, arbitrary: fc.constant<SimulatedAction>({ kind: 'restore' }) },
  { weight: 1, arbitrary: fc.constant<SimulatedAction>({ kind: 'undo' }) },
);
const anyAction: fc.Arbitrary<SimulatedAction> = fc.oneof(
  { weight: 8, arbitrary: ownAction },
  {
    weight: 1,
    arbitrary: fc.constantFrom<SimulatedAction>(
      { kind: 'other-saves' },
      { kind: 'other-keeps' },
      { kind: 'other-publishes' },
      { kind: 'other-dates' },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<SimulatedAction>(
      { kind: 'resolve', choice: 'mine' },
      { kind: 'resolve', choice: 'theirs' },
      { kind: 'merge' },
    ),
  },
);

/** Every step is followed by the simulation's own checks: one request at a time, and every text is somewhere. */
async function holds(actions: readonly SimulatedAction[], isAlone: boolean): Promise<void> {
  const simulation = simulateEditor();
  for (const action of actions) {
    await simulation.act(action);
    simulation.check();
    if (isAlone) expect(simulation.saver.getState().conflict).toBeNull();
  }
  // Whatever happened, the text arrives once things work again.
  await simulation.settle();
  simulation.check();
  if (!isAlone) return;
  expect(simulation.saver.getState().conflict).toBeNull();
  expect(simulation.server.texts()).toContain(simulation.title);
}

describe('whatever happens', () => {
  it('an editor never conflicts with itself and loses no text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(ownAction, { maxLength: 40 }), (actions) => holds(actions, true)),
      { numRuns: 200, seed: PROPERTY_SEED },
    );
  });

  it('two editors lose no text to each other, and neither publishes or unpublishes the post unseen', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyAction, { maxLength: 40 }), (actions) => holds(actions, false)),
      { numRuns: 200, seed: PROPERTY_SEED },
    );
  });
});
