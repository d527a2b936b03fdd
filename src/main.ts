import { keepOthersFromWriting } from './server/file-rights.js';
import { ensureNodeVersion } from './server/node-version.js';

keepOthersFromWriting();

// Before anything else is imported: the packages need the Node that is pinned here, whatever the system has.
if (ensureNodeVersion()) await import('./server/start.js').then(({ serveUntilStopped }) => serveUntilStopped());
