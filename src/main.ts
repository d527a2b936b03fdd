import { ensureNodeVersion } from './node-version.js';

// Before anything else is imported: the packages need the Node that is pinned here, whatever the system has.
if (ensureNodeVersion()) await import('./start.js').then(({ serveUntilStopped }) => serveUntilStopped());
