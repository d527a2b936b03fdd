// Notes from which sources dist was built, so that npm scripts build only when sources have changed.
// Runs on the system's Node as well: built-in modules only.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Absolute path of the repository, without a trailing slash. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const stampFile = join(root, 'dist/.build-stamp');
const lockFile = join(root, '.build.lock');
const sources = [
  'src',
  'client',
  'cli',
  'migrations',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
];

/** Fingerprint of everything that is built: by content, as a checkout or a copy changes times but nothing else. */
export function fingerprintSources() {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((source) => listFiles(source))) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

function listFiles(path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stats) return [];
  if (!stats.isDirectory()) return /\.spec\.tsx?$/.test(path) ? [] : [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => listFiles(`${path}/${name}`));
}

/** Returns true when dist holds a complete build of the present sources. */
export function isBuildCurrent() {
  try {
    return readFileSync(stampFile, 'utf8') === fingerprintSources();
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

/** Declares the build complete. Written last and in one piece, so an interrupted build is never taken for a good one. */
export function writeStamp(fingerprint) {
  writeFileSync(`${stampFile}.new`, fingerprint);
  renameSync(`${stampFile}.new`, stampFile);
}

/** Marks the build in dist as invalid. */
export function removeStamp() {
  rmSync(stampFile, { force: true });
}

/**
 * Runs `work` while no other process builds or installs packages; waits for one that does.
 * @param announceWaiting called once where there is one
 */
export async function withBuildLock(work, announceWaiting = () => {}) {
  for (let isFirst = true; !tryLock(); isFirst = false) {
    if (isFirst) announceWaiting();
    breakStaleLock();
    await sleep(100);
  }
  // A build that is alive shows it: after a crash and a reboot its process number may belong to somebody else.
  const heartbeat = setInterval(() => utimesSync(lockFile, new Date(), new Date()), 2_000);
  const release = () => rmSync(lockFile, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    process.removeListener('exit', release);
    release();
  }
}

function tryLock() {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function breakStaleLock() {
  try {
    const isSilent = Date.now() - statSync(lockFile).mtimeMs > 20_000;
    const owner = readFileSync(lockFile, 'utf8');
    // An empty lock was made this very moment: its owner's number follows.
    if (!isSilent && (owner === '' || isAlive(Number(owner)))) return;
    // By way of a rename, as only one of several waiting processes can win it.
    const broken = `${lockFile}.${process.pid}`;
    renameSync(lockFile, broken);
    rmSync(broken);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
