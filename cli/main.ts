#!/usr/bin/env node
import { inspect } from 'node:util';
import { keepOthersFromWriting } from '../src/server/file-rights.js';
import { ensureNodeVersion } from '../src/server/node-version.js';
import { EXIT_CODES } from './exit-codes.js';
import { printable } from './printable.js';
import { watchOutput } from './watch-output.js';

keepOthersFromWriting();
watchOutput(process.stdout, process.stderr);
// Node itself would end with 1, which says that the rest was done.
process.on('uncaughtException', (error) => {
  process.stderr.write(`${printable(inspect(error))}\n`);
  process.exit(EXIT_CODES.nothingDone);
});
// Before anything else is imported: the packages need the Node that is pinned here, whatever the system has.
if (ensureNodeVersion()) await import('./program.js').then(({ run }) => run(process.argv));
