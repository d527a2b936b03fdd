import { spawnSync } from 'node:child_process';

/** Installs a package of Debian for a program that the long suite needs, or fails with its name. */
export function needProgram(program: string, packageName: string): void {
  if (spawnSync('which', [program]).status === 0) return;
  const install = ['install', '--yes', '--no-install-recommends', packageName];
  const isRoot = process.getuid?.() === 0;
  if (isRoot) spawnSync('apt-get', ['update', '--quiet'], { stdio: 'inherit' });
  if (isRoot && spawnSync('apt-get', install, { stdio: 'inherit' }).status === 0) return;
  throw new Error(`The long suite needs ${program}: apt-get ${install.join(' ')}`);
}
