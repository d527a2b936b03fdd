// Once per run of jest: a current build, and one PostgreSQL in a temporary folder with a migrated database that test
// files clone. Works on the build (dist), as it runs before anything can translate TypeScript.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const prefix = 'site-test-postgres-';

export default async function setUp() {
  runNode('cli/tools/ensure-build.mjs');
  removeLeftovers();
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  // Ctrl+C ends jest without its teardown.
  process.on('exit', () => remove(folder));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

  const { startEmbeddedPostgres } = await import('../../dist/src/database/embedded-postgres.js');
  const server = await startEmbeddedPostgres({ folder, isDurable: false });
  // Nobody connects to this database again: PostgreSQL clones only what nobody uses.
  runNode('dist/cli.js', ['db', 'migrate'], { DATABASE_URL: server.url });
  process.env.TEST_TEMPLATE_URL = server.url;
  globalThis.stopTestPostgres = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

function runNode(script, args = [], env = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${script} ${args.join(' ')} failed:\n${stdout}${stderr}`);
}

/** Removes folders of runs that were killed before they could. */
function removeLeftovers() {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const owner = Number(name.slice(prefix.length).split('-')[0]);
    if (!isRunning(owner)) remove(join(tmpdir(), name));
  }
}

function remove(folder) {
  try {
    const pid = Number(readFileSync(join(folder, 'cluster/postmaster.pid'), 'utf8').split('\n')[0]);
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (commandLine.includes(folder)) process.kill(pid, 'SIGQUIT');
  } catch (error) {
    // There is no server, or it has ended, or it is somebody else's.
    if (!['ENOENT', 'ESRCH', 'EPERM', 'EACCES'].includes(error.code)) throw error;
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
