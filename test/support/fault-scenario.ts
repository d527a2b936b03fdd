import { describe, expect, it } from '@jest/globals';
import { isSuite } from './fault-scale.js';

/** One thing that should not have happened, in words: 'answered 502 during restart 3'. */
export type Harm = string;

interface Scenario {
  /** The one thing that is taken away to see whether the scenario notices, as in 'the readiness checks'. */
  readonly protection: string;
  /**
   * Brings the fault about and says what came of it. Everything that it starts ends with the tests of the file.
   * @param isProtected false for the round without the protection, which should be as small as it can
   */
  readonly run: (isProtected: boolean) => Promise<readonly Harm[]>;
}

/**
 * Declares a scenario of the fault suite: first, where the suite runs by itself, that it notices harm without the
 * protection, so that its silence means something, and then that there is none.
 */
export function describeFault(title: string, { protection, run }: Scenario): void {
  describe(title, () => {
    if (isSuite) {
      it(`is noticed without ${protection}`, async () => {
        expect((await run(false)).length).toBeGreaterThan(0);
      });
    }

    it('harms nobody', async () => {
      expect(await run(true)).toEqual([]);
    });
  });
}
