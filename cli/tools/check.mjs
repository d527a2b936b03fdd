// `npm run check`: types, lint and formatting, side by side. Writes what is wrong, and exits with 1 if anything is.
//   --built   leave out the types of the server by themselves: its build has just checked them
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const modules = `${root}node_modules`;
const cache = `${modules}/.cache/tsc`;

const parts = [
  ['cli/tools/check-project.mjs', 'test'],
  ['cli/tools/check-project.mjs', 'client'],
  [`${modules}/prettier/bin/prettier.cjs`, '--check', '--log-level=warn', '.'],
];
const server = ['--noEmit', '-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', `${cache}/server.json`];
if (!process.argv.includes('--built')) parts.push([`${modules}/typescript/bin/tsc`, ...server]);

const children = [];

/** Runs a part and writes all it has to say at once, so that no two are mixed. */
async function run(args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const [code] = await once(child, 'close');
  process.stderr.write(Buffer.concat(output));
  return code === 0;
}

process.once('SIGTERM', () => {
  for (const child of children) child.kill();
  process.exit(1);
});
mkdirSync(cache, { recursive: true });
const outcomes = await Promise.all(parts.map(run));
if (outcomes.includes(false)) process.exitCode = 1;
else console.error('Types, lint and formatting are fine.');
