import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareVersions } from '../../src/config/version.js';
import { listReleases } from './last-release.js';
import { startProcess, type RunningProcess } from './process.js';
import type { Variables } from './environment.js';
import { temporaryFolder } from './temporary-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Takes the code of the last release from the history of this clone, and installs and builds it as an operator does.
 * @returns its folder
 * @throws Error naming what is missing: the history, or what the build said
 */
export function buildLastRelease(): string {
  const folder = temporaryFolder();
  const code = execFileSync('git', ['archive', findLastRelease()], { cwd: root, maxBuffer: 1 << 30 });
  execFileSync('tar', ['--extract', '--directory', folder], { input: code });
  const built = spawnSync('npm', ['run', 'build'], { cwd: folder, encoding: 'utf8', env: { ...process.env } });
  if (built.status !== 0) throw new Error(`The last release does not build:\n${built.stdout}${built.stderr}`);
  return folder;
}

/** Starts the server of a release, with its own Node, and waits until it answers. */
export async function startRelease(
  folder: string,
  environment: Variables,
): Promise<RunningProcess & { readonly url: string }> {
  const node = join(folder, 'node_modules/.bin/node');
  const server = startProcess([join(folder, 'dist/server.js')], environment, temporaryFolder(), '', node);
  const [, url = ''] = await server.waitForOutput(/Listening at (http:\S+)/);
  return { ...server, url };
}

/** The commit before the version was raised: branches that were merged later may go back to it for a while. */
function findLastRelease(): string {
  const [release = ''] = listReleases();
  const commits = git('log', '--reverse', '--topo-order', '--format=%H', '--', 'package.json').split('\n');
  const versions = commits.map((commit) => ({ commit, version: versionAt(commit) }));
  const raised = versions.findIndex(({ version }) => compareVersions(version, release) > 0);
  if (versions.slice(0, Math.max(0, raised)).some(({ version }) => version === release)) {
    return git('rev-parse', `${versions[raised]?.commit}^`);
  }
  const isShallow = git('rev-parse', '--is-shallow-repository') === 'true';
  const help = isShallow ? 'this clone is shallow: git fetch --unshallow' : 'is this a clone with its whole history?';
  throw new Error(`The history lacks the commit that follows version ${release}; ${help}`);
}

function versionAt(commit: string): string {
  return (JSON.parse(git('show', `${commit}:package.json`)) as { version: string }).version;
}

function git(...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The long suite needs git and the history of the repository: ${stderr || error}`);
  return stdout.trim();
}
