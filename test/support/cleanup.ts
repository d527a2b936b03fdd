import { afterAll } from '@jest/globals';

const tasks: (() => Promise<void> | void)[] = [];

/** Runs `task` when the tests of this file are done; what was registered last goes first. */
export function onCleanup(task: () => Promise<void> | void): void {
  tasks.push(task);
}

afterAll(async () => {
  const failures: unknown[] = [];
  for (const task of tasks.reverse()) {
    // One that fails must not keep the others from running, at once or later.
    try {
      await task();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Cleaning up failed');
});
