// `npm test`: builds, then runs jest with the arguments of this script, and meanwhile checks types, lint and formatting.
// Tests wait a lot, for browsers, databases and limits; the checks need processors only, and give way to them. What the
// checks find stands at the end. Exits with 0 when nothing fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const running = new Set();
let isStopped = false;

function start(program, args, stdio) {
  const child = spawn(program, args, { cwd: root, stdio });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Runs a program at this terminal, and returns its exit code. */
async function run(program, ...args) {
  if (isStopped) return 1;
  const [code] = await once(start(program, args, 'inherit'), 'exit');
  return code ?? 1;
}

/** Starts the checks below the priority of everything else; resolves with their exit code and what they write. */
async function check() {
  const args = ['-n', '5', process.execPath, 'cli/tools/check.mjs'];
  const child = start('nice', args, ['ignore', 'ignore', 'pipe']);
  const output = [];
  child.stderr.on('data', (chunk) => output.push(chunk));
  const [code] = await once(child, 'close');
  return { code: code ?? 1, output: Buffer.concat(output) };
}

process.once('SIGTERM', () => {
  isStopped = true;
  for (const child of running) child.kill('SIGTERM');
});
// A terminal tells all of them: the first to end here would leave the others behind.
process.on('SIGINT', () => (isStopped = true));

const checking = check();
const built = await run(process.execPath, 'cli/tools/ensure-build.mjs');
const tested = built || (await run('npm', 'run', '-s', 'test:jest', '--', ...process.argv.slice(2)));
const { code, output } = await checking;
if (!isStopped) process.stderr.write(output);
process.exitCode = tested || code || Number(isStopped);
