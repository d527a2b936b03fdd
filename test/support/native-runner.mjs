// Runs test files in Node itself instead of jest's sandbox, which would load the application and some 3,000 modules of
// packages again for each of them. What they import of src, cli and migrations is the build, loaded once per worker;
// test files and helpers are loaded for each file anew, as they keep what belongs to one.
import { createRequire } from 'node:module';
import { forgetTestFile, importForTestFile } from './native-modules.mjs';

const require = createRequire(import.meta.url);
const { default: runInSandbox } = require('jest-circus/runner');

export default async function run(globalConfig, config, environment, runtime, testPath, report) {
  shareGlobals(environment.global);
  const testFile = {
    offerGlobals: () => runtime.requireModule(require.resolve('./jest-globals.cjs')),
    sourceMaps: runtime.getSourceMaps(),
  };
  runtime.unstable_importModule = (path) => importForTestFile(testFile, path);
  try {
    return await runInSandbox(globalConfig, config, environment, runtime, testPath, report);
  } finally {
    forgetTestFile(testFile);
  }
}

/** Matchers, which stay in the sandbox, then know `expect.any(String)` and errors for what they are. */
function shareGlobals(sandbox) {
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const { value } = Object.getOwnPropertyDescriptor(globalThis, name);
    if (/^[A-Z]/.test(name) && typeof value === 'function' && name in sandbox) sandbox[name] = value;
  }
}
