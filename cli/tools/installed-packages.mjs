// Compares what npm says it installed (node_modules/.package-lock.json) with package-lock.json. Built-in modules only.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns true when every package of the lock is installed in its version, and no other one is: as after `npm ci`.
 * @param {string} root the folder of package-lock.json
 * @param {{ isProduction: boolean }} options in production, what only the tests need may be absent
 */
export function arePackagesInstalled(root, { isProduction }) {
  const installedFile = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const { '': project, ...wanted } = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(installedFile);
  const isSame = (path) =>
    installed[path]?.version === wanted[path]?.version && installed[path]?.integrity === wanted[path]?.integrity;
  const isNeeded = ([path, entry]) => {
    // What npm leaves out on other systems may be absent, but not what the project itself names for this one.
    if (entry.optional || entry.devOptional) return isOwn(path, project) && fitsSystem(entry);
    return !(isProduction && entry.dev);
  };
  const needed = Object.entries(wanted).filter(isNeeded);
  return needed.every(([path]) => path in installed) && Object.keys(installed).every(isSame);
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
}

const isOwn = (path, project) => Object.keys(project?.optionalDependencies ?? {}).includes(path.slice(13));

const fitsSystem = ({ os, cpu }) => (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true);
