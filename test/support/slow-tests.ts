import { it } from '@jest/globals';

/** True in `npm run test:all`, and in a suite that is run by itself (test/run-suite.mjs). */
const runsSlowTests = process.env['TEST_ALL'] !== undefined || process.env['TEST_FAULTS'] !== undefined;

const leaveOut = Object.assign(() => undefined, { each: () => () => undefined });

/**
 * `it` for a test that takes longer than two seconds where others in `npm test` show the same part of the product at
 * work; `npm run test:all` runs it too (decision 138).
 */
export const itSlow = (runsSlowTests ? it : leaveOut) as typeof it;

/** The cases of a table that `npm test` takes; all of them where slow tests run too. */
export function fewOf<T>(cases: readonly T[], isTaken: (testCase: T) => boolean): readonly T[] {
  return runsSlowTests ? cases : cases.filter(isTaken);
}
