// Builds when the sources are not those of the last build. Runs on the system's Node as well: built-in modules only.
import { isBuildCurrent } from './build-stamp.mjs';

if (!isBuildCurrent()) {
  const { build, runBuild } = await import('./build.mjs');
  // Another process may have built it while this one waited for its turn.
  await runBuild(async () => (isBuildCurrent() ? undefined : await build()));
}
