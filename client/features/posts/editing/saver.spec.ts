import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PROPERTY_SEED } from '../../../../test/support/property-seed.js';
import { type DeskWorld, makeDesk, type DeskAction } from './testing/desk.js';

const wait = (ms: number): DeskAction => ({ kind: 'wait', ms });
const type = (): DeskAction => ({ kind: 'type' });

async function play(...actions: readonly DeskAction[]): Promise<DeskWorld> {
  const desk = makeDesk();
  for (const action of actions) await desk.act(action);
  return desk;
}

describe('an editor', () => {
  it('keeps a copy on this device until the server has the very same text', async () => {
    const desk = await play(type(), wait(300));
    expect(desk.copies()).toMatchObject([{ reason: 'unsent', version: 1, fields: { title: 'text 1' } }]);
    await desk.act(wait(2100));
    expect(desk.copies()).toEqual([]);
    expect(desk.server.texts()).toContain('text 1');
  });

  it('has what was on the screen for a moment, while somebody types on without a pause', async () => {
    const desk = makeDesk();
    // Faster than any autosave: the server knows nothing of it yet.
    for (let key = 0; key < 90; key += 1) {
      await desk.act(type());
      await desk.act(wait(100));
    }
    expect(desk.server.texts()).toEqual(['text 0']);
    await desk.act({ kind: 'crash' });
    expect(Number(/\d+/.exec(desk.copies()[0]?.fields.title ?? '')?.[0])).toBeGreaterThanOrEqual(87);
  });

  it('brings the text back after a crash, and forgets the copy once it is saved', async () => {
    const desk = await play(type(), wait(400), { kind: 'crash' }, { kind: 'restore' });
    expect(desk.title).toBe('text 1');
    await desk.act({ kind: 'save' });
    await desk.act(wait(500));
    expect(desk.server.saved).toBe('text 1');
    expect(desk.copies()).toEqual([]);
  });

  it('says so when this device takes no copy', async () => {
    const desk = makeDesk();
    desk.storage.isFull = true;
    await desk.act(type());
    await desk.act(wait(300));
    expect(desk.saver.getState().isCopied).toBe(false);
    desk.storage.isFull = false;
    await desk.act(type());
    await desk.act(wait(300));
    expect(desk.saver.getState()).toMatchObject({ isCopied: true, wasCopyRefused: true });
  });

  it('restores texts without what the switch said', async () => {
    const desk = await play({ kind: 'switch' }, type(), wait(400), { kind: 'crash' }, { kind: 'restore' });
    expect(desk.title).toBe('text 1');
    expect(desk.saver.getState().decision).toBeNull();
    await desk.act({ kind: 'save' });
    await desk.act(wait(500));
    expect(desk.server).toMatchObject({ saved: 'text 1', isPublished: false });
  });

  it('decides no conflict against a text that it could not put aside, unless told to', async () => {
    const desk = await play(type(), { kind: 'other-saves' }, { kind: 'save' }, wait(200));
    desk.storage.isFull = true;
    expect(desk.saver.resolve('theirs')).toBe(false);
    expect(desk.title).toBe('text 1');
    expect(desk.saver.resolve('theirs', { isForced: true })).toBe(true);
  });

  it('runs another change of the post between two saves, from the version that is current then', async () => {
    const desk = await play(type(), wait(2000), { kind: 'task' }, type(), { kind: 'save' }, wait(500));
    expect(desk.server.saved).toBe('text 2');
    expect(desk.saver.getState().conflict).toBeNull();
  });

  it('tells how each press of the button ended', async () => {
    const desk = await play(
      type(),
      { kind: 'save' },
      wait(200),
      { kind: 'network', mode: 'expired' },
      { kind: 'save' },
      wait(200),
    );
    expect(desk.outcomes.map(({ kind }) => kind)).toEqual(['saved', 'signed-out']);
    await desk.act({ kind: 'sign-in' });
    await desk.act(wait(200));
    expect(desk.outcomes.at(-1)).toMatchObject({ kind: 'saved', isWhole: true });
  });
});

const ownAction: fc.Arbitrary<DeskAction> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(type()) },
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 12_000 }).map(wait) },
  { weight: 2, arbitrary: fc.constant<DeskAction>({ kind: 'save' }) },
  { weight: 1, arbitrary: fc.constant<DeskAction>({ kind: 'task' }) },
  { weight: 1, arbitrary: fc.constantFrom<DeskAction>({ kind: 'switch' }, { kind: 'acknowledge' }) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('ok', 'ok', 'lose-request', 'lose-answer', 'broken', 'expired', 'offline')
      .map((mode): DeskAction => ({ kind: 'network', mode })),
  },
  { weight: 2, arbitrary: fc.constant<DeskAction>({ kind: 'sign-in' }) },
  { weight: 1, arbitrary: fc.constant<DeskAction>({ kind: 'crash' }) },
  { weight: 1, arbitrary: fc.constant<DeskAction>({ kind: 'close' }) },
  { weight: 2, arbitrary: fc.constant<DeskAction>({ kind: 'restore' }) },
  { weight: 1, arbitrary: fc.constant<DeskAction>({ kind: 'undo' }) },
);
const anyAction: fc.Arbitrary<DeskAction> = fc.oneof(
  { weight: 8, arbitrary: ownAction },
  {
    weight: 1,
    arbitrary: fc.constantFrom<DeskAction>(
      { kind: 'other-saves' },
      { kind: 'other-keeps' },
      { kind: 'other-publishes' },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<DeskAction>({ kind: 'resolve', choice: 'mine' }, { kind: 'resolve', choice: 'theirs' }),
  },
);

/** Every step is followed by the desk's own checks: one request at a time, and every text is somewhere. */
async function holds(actions: readonly DeskAction[], isAlone: boolean): Promise<void> {
  const desk = makeDesk();
  for (const action of actions) {
    await desk.act(action);
    desk.check();
    if (isAlone) expect(desk.saver.getState().conflict).toBeNull();
  }
  // Whatever happened, the text arrives once things work again.
  await desk.settle();
  desk.check();
  if (!isAlone) return;
  expect(desk.saver.getState().conflict).toBeNull();
  expect(desk.server.texts()).toContain(desk.title);
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
