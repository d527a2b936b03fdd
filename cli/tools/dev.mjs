// Development: compiles the server whenever a source changes and starts it again; the server itself hands out the
// client with hot replacement. One port, one Ctrl+C, nothing left behind.
import { spawn, spawnSync } from 'node:child_process';
import { watch } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { removeStamp } from './build-stamp.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const bin = (name) => `${root}node_modules/.bin/${name}`;
/** The compiler writes many files for one change: the server starts again when it has been quiet for this long. */
const QUIET_MS = 250;

// From here on dist holds what development leaves there.
removeStamp();
const firstBuild = spawnSync(bin('nest'), ['build'], { cwd: root, stdio: 'inherit' });
if (firstBuild.status !== 0) process.exit(firstBuild.status ?? 1);

let isStopping = false;
let server;
let quietTimer;

function startServer() {
  const env = { ...process.env, NODE_ENV: 'development' };
  const child = spawn(bin('node'), ['--enable-source-maps', 'dist/src/main.js'], { cwd: root, stdio: 'inherit', env });
  server = child;
  child.on('exit', () => {
    server = undefined;
    if (child.isReplaced && !isStopping) startServer();
    else finishWhenAlone();
  });
}

function restartServer() {
  if (isStopping) return;
  // A server that could not start has ended: the next change gives it another chance.
  if (!server) return startServer();
  server.isReplaced = true;
  server.kill('SIGTERM');
}

function finishWhenAlone() {
  if (isStopping && !server && compiler.exitCode === null && compiler.signalCode === null) compiler.kill('SIGTERM');
  else if (isStopping && !server) process.exit(0);
}

function stop() {
  isStopping = true;
  if (server) server.kill('SIGTERM');
  else finishWhenAlone();
}

const compiler = spawn(bin('nest'), ['build', '--watch', '--preserveWatchOutput'], { cwd: root, stdio: 'inherit' });
compiler.on('exit', () => {
  stop();
  finishWhenAlone();
});
startServer();
watch(`${root}dist/src`, { recursive: true }, () => {
  clearTimeout(quietTimer);
  quietTimer = setTimeout(restartServer, QUIET_MS);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
