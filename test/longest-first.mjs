import { createRequire } from 'node:module';

// What jest itself sorts with; a package of its own that comes with jest.
const jest = createRequire(createRequire(import.meta.url).resolve('jest'));
const { default: TestSequencer } = createRequire(jest.resolve('@jest/core'))('@jest/test-sequencer');

/** Milliseconds that test files of a project take, beyond a second per kilobyte. */
const USUAL_MS = { browser: 40_000, faults: 20_000, hostile: 40_000, writing: 40_000, cli: 5_000, unit: 0 };

/**
 * Begins with what takes longest, so that no processor waits for the last file. Jest remembers how long files took;
 * where it cannot, as in a fresh clone, it goes by their size alone, and some of the smallest take longest.
 */
export default class LongestFirst extends TestSequencer {
  time(test) {
    return super.time(test) ?? this.guess(test);
  }

  guess({ path, context: { config, hasteFS } }) {
    return (USUAL_MS[config.displayName?.name] ?? 3_000) + (hasteFS.getSize(path) ?? 0);
  }
}
