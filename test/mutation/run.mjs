// `npm run test:mutation -- sanitizer`: changes the sources of a module in one place after the other, and names the
// changes that its tests do not notice (README.md). Works on a copy of the repository, so that nothing has to be put back.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import setUp from '../support/global-setup.mjs';
import tearDown from '../support/global-teardown.mjs';
import { modules } from './modules.mjs';
import { findMutants } from './mutants.mjs';

const LEAST_SHARE = 0.9;
const root = join(import.meta.dirname, '../..');
const notCopied = new Set(['.git', 'node_modules', 'data', 'coverage', 'test-results']);
const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
// By itself a file does not know of which kind the package is.
const compilerOptions = { ...options, module: ts.ModuleKind.ESNext };

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string', default: '60' }, only: { type: 'string' } },
});
const unknown = positionals.filter((name) => !(name in modules));
if (unknown.length > 0)
  throw new Error(`No module ${unknown.join(', ')}: there are ${Object.keys(modules).join(', ')}`);

await setUp();
const copy = mkdtempSync(join(tmpdir(), 'site-mutants-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
try {
  cpSync(root, copy, { recursive: true, filter: (path) => !notCopied.has(relative(root, path)) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const name of positionals.length > 0 ? positionals : Object.keys(modules)) await tryModule(name);
} finally {
  await tearDown();
}

/** Tries a module's mutants, and says of each survivor where it is. */
async function tryModule(name) {
  const { sources, tests } = modules[name];
  const found = sources.flatMap((file) => {
    const original = readFileSync(join(copy, file), 'utf8');
    install(file, original);
    return findMutants(file, original);
  });
  const sample = choose(found.map((mutant, number) => ({ ...mutant, number })));
  const begunAt = Date.now();
  const { code, output } = await runTests(tests, 600_000);
  if (code !== 0) throw new Error(`Without a mutant, the tests of ${name} have to pass:\n${output}`);
  // The time that tests wait for what never comes (support/wait-limit.ts), and for a busy machine.
  const limit = 60_000 + 3 * (Date.now() - begunAt);
  const survivors = [];
  let hung = 0;
  for (const mutant of sample) {
    const outcome = await tryMutant(mutant, tests, limit);
    if (outcome === 'survived') survivors.push(mutant);
    if (outcome === 'hung') hung += 1;
    if (outcome !== 'killed') console.log(`${outcome} ${mutant.number} ${mutant.file}:${mutant.line} ${mutant.change}`);
  }
  const killed = sample.length - survivors.length;
  const share = killed / sample.length;
  console.log(
    `${name}: ${killed} of ${sample.length} mutants killed, ${hung} of them by time (${Math.floor(share * 100)} %); ` +
      `chosen evenly from ${found.length}`,
  );
  if (share < LEAST_SHARE) process.exitCode = 1;
}

/** Every n-th mutant in the order of the sources, or those that were asked for. */
function choose(mutants) {
  if (values.only !== undefined) return values.only.split(',').map((number) => mutants[Number(number)]);
  const size = Math.min(Number(values.sample), mutants.length);
  return Array.from({ length: size }, (_, index) => mutants[Math.floor((index * mutants.length) / size)]);
}

async function tryMutant({ file, original, source }, tests, limit) {
  install(file, source);
  try {
    const { code } = await runTests(tests, limit);
    return code === 0 ? 'survived' : code === null ? 'hung' : 'killed';
  } finally {
    install(file, original);
  }
}

/** Puts a source into the copy, for unit tests, and into its build, for all others. */
function install(file, source) {
  writeFileSync(join(copy, file), source);
  if (!file.startsWith('src/')) return;
  const { outputText } = ts.transpileModule(source, { compilerOptions, fileName: file });
  writeFileSync(join(copy, 'dist', file.replace(/\.ts$/, '.js')), outputText);
}

/** Runs tests up to the first failure. The code is null for a run that exceeds the limit. */
async function runTests(tests, limit) {
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', '--max-old-space-size=2048'];
  const jest = ['node_modules/jest/bin/jest.js', '--config', 'test/mutation/jest.config.mjs', '-i', '--bail'];
  const args = [...node, ...jest, '--cacheDirectory', join(copy, '.jest'), ...tests];
  // Of its own group, so that what tests start ends with it.
  const child = spawn(process.execPath, args, { cwd: copy, detached: true });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const kill = () => process.kill(-child.pid, 'SIGKILL');
  const timer = setTimeout(kill, limit);
  process.once('exit', kill);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  process.removeListener('exit', kill);
  return { code, output: Buffer.concat(output).toString() };
}
