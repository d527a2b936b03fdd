import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import nodeModule from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../config/project-root.js';

const MINIMUM = [22, 17] as const;
const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Returns true when this Node can run the product. Otherwise starts the same command once more with the Node of the
 * packages, passes signals and exit code on, and returns false: the caller has nothing left to do.
 */
export function ensureNodeVersion(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])) {
    // Commands are short and their packages many: the second start need not compile them again. In a folder of our own,
    // as Node's is one that everybody can write to, where byte code could be left for us to run; whoever may not write
    // here goes without. Not imported by name, which an older Node refuses before it runs a line of this.
    nodeModule.enableCompileCache(join(PROJECT_ROOT, 'node_modules/.cache/compile-cache'));
    return true;
  }
  const pinned = join(PROJECT_ROOT, 'node_modules/.bin/node');
  if (!existsSync(pinned)) {
    process.stderr.write(`Node ${MINIMUM.join('.')} or later is needed; this is ${process.versions.node}.\n`);
    process.exitCode = 2;
    return false;
  }
  const child = spawn(pinned, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' });
  for (const signal of FORWARDED_SIGNALS) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 128 + constants.signals[signal] : 0)));
  return false;
}
