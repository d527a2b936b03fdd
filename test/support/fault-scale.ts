/** True under `npm run test:faults -- --long`, which runs every scenario at full size, and those that are long only. */
export const isLong = process.env['TEST_FAULTS'] === 'long';

/** True in every run of the suite by itself: only there scenarios prove first that they would notice harm. */
export const isSuite = process.env['TEST_FAULTS'] !== undefined;

/** The size of a scenario: how many kills, seconds or visitors it has in `npm test`, and in the long run. */
export function scaled<T>(short: T, long: T): T {
  return isLong ? long : short;
}
