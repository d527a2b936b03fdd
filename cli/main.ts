#!/usr/bin/env node
import { ensureNodeVersion } from '../src/server/node-version.js';
import { watchOutput } from './watch-output.js';

watchOutput(process.stdout, process.stderr);
// Before anything else is imported: the packages need the Node that is pinned here, whatever the system has.
if (ensureNodeVersion()) await import('./program.js').then(({ run }) => run(process.argv));
