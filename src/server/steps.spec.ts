import { expect, it } from '@jest/globals';
import { Steps } from './steps.js';

it('goes on after a step that hangs, and names it', async () => {
  const steps = new Steps();
  await steps.run('the mails', 10, () => new Promise(() => undefined));
  await steps.run('the pool', 60_000, () => Promise.resolve());
  expect(steps.unfinished).toEqual(['the mails']);
});

it('names the step that is being waited for', async () => {
  const steps = new Steps();
  let end = (): void => undefined;
  const running = steps.run('the requests', 60_000, () => new Promise<void>((resolve) => (end = resolve)));
  expect(steps.unfinished).toEqual(['the requests']);
  end();
  await running;
  expect(steps.unfinished).toEqual([]);
});

it('passes on what a step throws, as a step that is over', async () => {
  const steps = new Steps();
  await expect(steps.run('the pool', 60_000, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(steps.unfinished).toEqual([]);
});
