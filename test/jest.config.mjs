// Projects from the smallest test to the largest; each runs alone with `npm test -- --selectProjects <name>`. A test
// belongs to the smallest one that proves the behavior (CONTRIBUTING.md).

import { join } from 'node:path';
import { swcOptions } from './support/swc-options.mjs';
import { useTemporaryFolderInMemory } from './support/temporary-folder-in-memory.mjs';

const swc = (parser) => ['@swc/jest', swcOptions(parser)];

const common = {
  rootDir: join(import.meta.dirname, '..'),
  roots: ['<rootDir>/src', '<rootDir>/client', '<rootDir>/cli', '<rootDir>/test'],
  testEnvironment: 'node',
  injectGlobals: false,
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '\\.ts$': swc({}), '\\.tsx$': swc({ tsx: true }) },
  // Imports name the file that the compiler will write; here the source stands in for it.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.js', '$1.ts', '$1.tsx'] },
  setupFilesAfterEnv: ['<rootDir>/test/support/fail-on-console.ts'],
  restoreMocks: true,
};

/** Tests that need a build, a migrated database, or both. */
const withBuild = {
  ...common,
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  testRunner: '<rootDir>/test/support/native-runner.mjs',
};

/** Files named .slow.ts have slow tests only (support/slow-tests.ts). */
const runsSlowTests = process.env.TEST_ALL !== undefined || process.env.TEST_FAULTS !== undefined;
const kinds = ['test', ...(runsSlowTests ? ['slow'] : [])];

const inFolder = (name) => ({
  ...withBuild,
  displayName: name,
  testMatch: kinds.map((kind) => `<rootDir>/test/${name}/**/*.${kind}.{ts,tsx}`),
});

/** `npm run test:faults` has TEST_FAULTS: 'short', or with `-- --long` 'long' for scenarios at full size. */
const isLong = process.env.TEST_FAULTS === 'long';
// At full size, suites fill folders for an hour.
if (!isLong) useTemporaryFolderInMemory();
/** Files named .long.ts have no short form. */
const faultKinds = [...kinds, ...(isLong ? ['long'] : [])];
const faultFiles = faultKinds.map((kind) => `<rootDir>/test/faults/**/*.${kind}.ts`);

export default {
  rootDir: common.rootDir,
  // One more than the two cores that are always there: browsers, databases and mail servers make tests wait. With
  // another one nothing ends sooner, and each of them takes longer.
  maxWorkers: 3,
  // Modules of test files are never freed, so that workers grow; a new one takes two seconds to be ready. Their young
  // generation is larger than usual (package.json), as loading modules leaves a lot behind at once.
  workerIdleMemoryLimit: '1800MB',
  testSequencer: '<rootDir>/test/longest-first.mjs',
  // Several times what a test waits for one thing (support/wait-limit.ts): a busy machine makes no test fail.
  testTimeout: isLong ? 3_600_000 : 240_000,
  projects: [
    { ...common, displayName: 'unit', testMatch: ['<rootDir>/{src,client,cli}/**/*.spec.{ts,tsx}'] },
    ...['integration', 'pages', 'cli'].map(inFolder),
    { ...inFolder('faults'), testMatch: faultFiles },
    inFolder('hostile'),
    inFolder('writing'),
    inFolder('browser'),
  ],
};
