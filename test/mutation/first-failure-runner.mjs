// Runs a test file up to its first failure, which is all that a mutant has to be seen by.
import { createRequire } from 'node:module';
import runInNode from '../support/native-runner.mjs';

const { default: runInSandbox } = createRequire(import.meta.url)('jest-circus/runner');

export default async function run(globalConfig, config, environment, runtime, testPath, report) {
  let hasFailed = false;
  environment.handleTestEvent = ({ name, test }) => {
    if (name === 'test_done') hasFailed ||= test.errors.length > 0;
    if (name === 'test_start' && hasFailed) test.mode = 'skip';
  };
  const runFile = /\.spec\.tsx?$/.test(testPath) ? runInSandbox : runInNode;
  return await runFile(globalConfig, config, environment, runtime, testPath, report);
}
