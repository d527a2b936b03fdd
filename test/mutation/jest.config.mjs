// As every test runs, but for what `run.mjs` does once for all mutants, and up to the first failure.
import base from '../jest.config.mjs';

export default {
  ...base,
  testSequencer: '<rootDir>/test/mutation/shortest-first.mjs',
  projects: base.projects.map((project) => ({
    ...project,
    globalSetup: undefined,
    globalTeardown: undefined,
    testRunner: '<rootDir>/test/mutation/first-failure-runner.mjs',
  })),
};
