import { describe, expect, it } from '@jest/globals';
import { Gate, GateFullError } from './gate.js';

describe('Gate', () => {
  it('runs no more tasks at a time than it has places, and all in the end', async () => {
    const gate = new Gate(2);
    let running = 0;
    let most = 0;
    const task = async (result: number) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running -= 1;
      return result;
    };
    const results = await Promise.all([1, 2, 3, 4, 5].map((result) => gate.run(() => task(result))));
    expect(results).toEqual([1, 2, 3, 4, 5]);
    expect(most).toBe(2);
  });

  it('frees the place of a task that fails', async () => {
    const gate = new Gate(1);
    const failing = gate.run(() => Promise.reject(new Error('no')));
    const next = gate.run(() => Promise.resolve('next'));
    await expect(failing).rejects.toThrow('no');
    await expect(next).resolves.toBe('next');
    await expect(gate.run(() => Promise.resolve('later'))).resolves.toBe('later');
  });

  it('refuses tasks beyond those that may wait', async () => {
    const gate = new Gate(1, 1);
    const results = [1, 2].map((result) => gate.run(() => Promise.resolve(result)));
    await expect(gate.run(() => Promise.resolve(3))).rejects.toThrow(GateFullError);
    expect(await Promise.all(results)).toEqual([1, 2]);
  });

  it('gives back the place of a task that is not wanted any more, and lets one that has begun end', async () => {
    const gate = new Gate(1, 1);
    const { promise, resolve } = Promise.withResolvers<string>();
    const leaving = new AbortController();
    const first = gate.run(() => promise, leaving.signal);
    const second = gate.run(() => Promise.resolve('second'), leaving.signal);
    leaving.abort(new Error('left'));
    await expect(second).rejects.toThrow('left');
    const third = gate.run(() => Promise.resolve('third'));
    resolve('first');
    expect(await Promise.all([first, third])).toEqual(['first', 'third']);
  });
});
