#!/usr/bin/env node
import { keepOthersFromWriting } from '../src/server/file-rights.js';
import { ensureNodeVersion } from '../src/server/node-version.js';
import { watchOutput } from './watch-output.js';

keepOthersFromWriting();
watchOutput(process.stdout, process.stderr);
// Before anything else is imported: the packages need the Node that is pinned here, whatever the system has.
if (ensureNodeVersion()) await import('./program.js').then(({ run }) => run(process.argv));
