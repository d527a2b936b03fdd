// Installs the packages of package-lock.json when they are not there yet, so that every npm script works alone
// on a fresh clone. Runs on the system's Node, before anything is installed: built-in modules only.
//   --production  leave out what only the tests need (browsers, linters): the demo starts sooner
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { arePackagesInstalled } from './installed-packages.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const stampFile = `${root}node_modules/.install-stamp.json`;
const wanted = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex');
const isProduction = process.argv.includes('--production');

/** After a plain `npm ci` there is no stamp, but nothing to install either. */
function isInstalled() {
  const stamp = existsSync(stampFile) ? JSON.parse(readFileSync(stampFile, 'utf8')) : {};
  if (stamp.lock === wanted) return isProduction || stamp.isComplete;
  const isComplete = arePackagesInstalled(root, { isProduction: false });
  if (!isComplete && !(isProduction && arePackagesInstalled(root, { isProduction }))) return false;
  writeStamp(isComplete);
  return true;
}

function writeStamp(isComplete) {
  writeFileSync(stampFile, JSON.stringify({ lock: wanted, isComplete }));
}

if (!isInstalled()) {
  const hadEverything = existsSync(`${root}node_modules/jest`);
  const isComplete = !isProduction || hadEverything;
  console.error(isComplete ? 'Installing packages ...' : 'Installing packages (without test tools) ...');
  const omit = isComplete ? [] : ['--omit=dev'];
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...omit], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    // A machine that says NODE_ENV=production must still get the test tools when they are asked for.
    env: { ...process.env, NODE_ENV: '' },
  });
  if (result.status !== 0) {
    console.error('npm ci failed: the output above says why.');
    process.exit(result.status ?? 1);
  }
  writeStamp(isComplete);
}
