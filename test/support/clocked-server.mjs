// The built server, whose clock stands still at what a file says (milliseconds since 1970): `node <this> <file>`.
import { readFileSync } from 'node:fs';
import { loadConfig } from '../../dist/src/config/config.js';
import { serveUntilSignal } from '../../dist/src/server/serve.js';
import { Clock } from '../../dist/src/shared/clock.js';

const [, , file] = process.argv;
const { app, url } = await serveUntilSignal(loadConfig());
let last = 0;
app.get(Clock, { strict: false }).now = () => {
  // For a moment there is nothing in it, while it is written.
  last = Number(readFileSync(file, 'utf8')) || last;
  return new Date(last);
};
process.stdout.write(`Listening at ${url} for tests\n`);
