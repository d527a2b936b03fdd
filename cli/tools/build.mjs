// Builds everything into dist: src, cli and migrations with nest (dist/src, dist/cli, dist/migrations), what starts in
// few files (dist/server.js, dist/cli.js), the bundle for browsers (dist/client) and the one that renders on the server
// (dist/client-server).
// Runs on the system's Node as well: built-in modules only.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { fingerprintSources, root, withBuildLock, writeStamp } from './build-stamp.mjs';

const bin = join(root, 'node_modules/.bin');
const compressible = new Set(['.js', '.css', '.svg', '.json', '.map', '.html', '.txt']);

/** Builds from scratch. Only one process at a time may: see `withBuildLock`. */
export async function build() {
  // Everything to stderr: a command's standard output may be read by a program.
  console.error('Building ...');
  const startedAt = Date.now();
  const fingerprint = fingerprintSources();
  rmSync(join(root, 'dist'), { recursive: true, force: true, maxRetries: 3 });
  await Promise.all([buildServer(), buildClient()]);
  writeStamp(fingerprint);
  console.error(`Built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
}

async function buildServer() {
  await run('nest', 'build');
  await run('vite', 'build', '--config', 'cli/tools/server-bundle.config.mjs', '--logLevel', 'warn');
}

async function buildClient() {
  const config = ['--config', 'client/vite.config.ts', '--logLevel', 'warn'];
  await run('vite', 'build', ...config);
  await Promise.all([
    run('vite', 'build', '--ssr', 'client/entry-server.tsx', ...config),
    compressFolder(join(root, 'dist/client/assets')),
  ]);
}

/** Runs a tool of node_modules on the project's own Node, and fails with its output when it fails. */
function run(tool, ...args) {
  const child = spawn(join(bin, tool), args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Builds for production whatever NODE_ENV the caller has: React ships two versions of itself.
    env: { ...process.env, NODE_ENV: 'production', PATH: `${bin}${delimiter}${process.env.PATH}` },
  });
  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) return resolve();
      reject(new Error(`${tool} ${args.join(' ')} failed:\n${Buffer.concat(output).toString()}`));
    });
  });
}

/** Lays a .br and a .gz beside every file that gains from it, so that nothing is compressed per request. */
async function compressFolder(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => compressible.has(extname(file)));
  await Promise.all(files.map((file) => compressFile(join(folder, file))));
}

async function compressFile(file) {
  const bytes = readFileSync(file);
  if (bytes.length <= 1024) return;
  const brotliOptions = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } };
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(bytes, brotliOptions));
  writeFileSync(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}

/** Runs a build and ends the process with its outcome; a failed build is its tool's output, not a stack trace. */
export async function runBuild(work) {
  try {
    await withBuildLock(work);
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}

if (realpathSync(process.argv[1]) === import.meta.filename) await runBuild(build);
