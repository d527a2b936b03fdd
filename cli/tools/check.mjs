// `npm run check`: types and lint, which oxlint does in one run, then formatting. Writes what is wrong, and exits with 1 if
// anything is. A program of its own, so that `npm test` can start it below the priority of everything else.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const parts = [
  ['oxlint', '--format', 'stylish'],
  ['oxfmt', '--check'],
];

const failed = parts.filter(([program, ...args]) => {
  const { status, stdout, stderr } = spawnSync(`${root}node_modules/.bin/${program}`, args, { cwd: root });
  if (status !== 0) process.stderr.write(Buffer.concat([stdout, stderr]));
  return status !== 0;
});
if (failed.length > 0) process.exitCode = 1;
else console.error('Types, lint and formatting are fine.');
