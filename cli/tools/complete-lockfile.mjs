// Adds a stub to package-lock.json for every optional dependency of an exact version that the lock lacks.
// A registry mirror without the binaries of other systems makes npm write a lock that `npm ci` then refuses
// ("Missing: @swc/core-darwin-arm64 from lock file"). Run after every change of a dependency.
//   --check  change nothing; name what is missing and end with 1 if anything is
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const lockFile = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
const lock = JSON.parse(readFileSync(lockFile, 'utf8'));
const exactVersion = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

/** Returns true when npm would find `name` from the package at `from`: in the nearest node_modules upward. */
function isResolvable(from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (lock.packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true;
    if (!at) return false;
  }
}

/** `os`, `cpu` and `libc` as the usual names of such packages state them (…-darwin-arm64, …-linux-x64-musl). */
function platformOf(name) {
  const parts = name.split(/[-/]/);
  const os = [
    'android',
    'darwin',
    'freebsd',
    'linux',
    'netbsd',
    'openbsd',
    'openharmony',
    'sunos',
    'win32',
    'aix',
  ].filter((system) => parts.includes(system) || (system === 'linux' && parts.includes('linuxmusl')));
  const cpu = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32'].filter(
    (chip) => parts.includes(chip),
  );
  return { ...(os.length ? { os } : {}), ...(cpu.length ? { cpu } : { cpu: ['none'] }) };
}

const missing = Object.entries(lock.packages).flatMap(([from, entry]) =>
  Object.entries(entry.optionalDependencies ?? {}).filter(
    ([name, version]) => exactVersion.test(version) && !isResolvable(from, name),
  ),
);

if (process.argv.includes('--check')) {
  for (const [name, version] of missing) console.error(`package-lock.json lacks ${name} ${version}`);
  process.exitCode = missing.length > 0 ? 1 : 0;
} else {
  for (const [name, version] of missing) {
    lock.packages[`node_modules/${name}`] ??= { version, optional: true, ...platformOf(name) };
  }
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  if (missing.length > 0) writeFileSync(lockFile, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`${missing.length} optional dependencies of other systems added to package-lock.json`);
}
