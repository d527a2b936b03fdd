// Installs the packages of package-lock.json when they are not there yet, so that every npm script works alone
// on a fresh clone. Runs on the system's Node, before anything is installed: built-in modules only.
//   --production  leave out what only the tests need (browsers, linters): the demo starts sooner
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withBuildLock } from './build-stamp.mjs';
import { arePackagesInstalled } from './installed-packages.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const stampFile = `${root}node_modules/.install-stamp.json`;
const wanted = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex');
const isProduction = process.argv.includes('--production');

/** After a plain `npm ci` there is no stamp, but nothing to install either. */
function isInstalled() {
  const stamp = readStamp();
  if (stamp.lock === wanted) return isProduction || stamp.isComplete;
  const isComplete = arePackagesInstalled(root, { isProduction: false });
  if (!isComplete && !(isProduction && arePackagesInstalled(root, { isProduction }))) return false;
  writeStamp(isComplete);
  return true;
}

/** Half a stamp, as of a disk that was full, is none. */
function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return {};
  }
}

function writeStamp(isComplete) {
  writeFileSync(stampFile, JSON.stringify({ lock: wanted, isComplete }));
}

async function install() {
  const hadEverything = existsSync(`${root}node_modules/jest`);
  const isComplete = !isProduction || hadEverything;
  console.error(isComplete ? 'Installing packages ...' : 'Installing packages (without test tools) ...');
  const omit = isComplete ? [] : ['--omit=dev'];
  // Not in one go with spawnSync: whoever waits has to see that this process lives.
  const npm = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...omit], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    // A machine that says NODE_ENV=production must still get the test tools when they are asked for.
    env: { ...process.env, NODE_ENV: '' },
  });
  const [status] = await once(npm, 'close').catch((error) => {
    throw new Error(`npm, which installs the packages, could not be started: ${error.message}`);
  });
  if (status !== 0) {
    console.error('npm ci failed: the output above says why.');
    process.exit(status ?? 1);
  }
  writeStamp(isComplete);
}

if (!isInstalled()) {
  try {
    // Two at once would take away what the other one has just put there.
    await withBuildLock(
      async () => void (isInstalled() || (await install())),
      () => console.error('Another process installs packages or builds: waiting for it ...'),
    );
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
