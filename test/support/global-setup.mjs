import { spawnSync } from 'node:child_process';
export default function () {
  const r = spawnSync(process.execPath, ['cli/tools/ensure-build.mjs'], { stdio: ['ignore', 2, 2] });
  if (r.status !== 0) throw new Error('The build failed.');
}
