import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll } from '@jest/globals';
import { paths } from '../../src/shared/paths.js';
import { createTestApp } from '../support/create-test-app.js';
import { describeFault } from '../support/fault-scenario.js';
import { scaled } from '../support/fault-scale.js';
import { createPosts } from '../support/factories.js';
import { holdReading } from '../support/held-request.js';
import { startProcess, startServer } from '../support/process.js';
import { speakTo } from '../support/raw-connection.js';
import { until } from '../support/until.js';
import { sendVisitors } from '../support/visitors.js';

const HEADS = scaled(100, 485);
const BODIES = scaled(100, 485);
/** The system keeps some megabytes for each. */
const READERS = 30;
const LONG_TEXT = `<p>${'A long way to read. '.repeat(scaled(125_000, 250_000))}</p>`;
/** Far more than what a thousand connections take, far less than a copy of the long page for each reader. */
const MEMORY_MB = scaled(60, 120);

const HALF_BODY =
  'POST /api/contact HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{';

const descriptorsOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length;
const megabytesOf = (pid: number) =>
  (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096) / 2 ** 20;

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

async function startPatientServer(environment: Parameters<typeof startServer>[0]) {
  const server = startProcess(['test/support/patient-server.mjs'], environment);
  const [, url = ''] = await server.waitForOutput(/Listening at (http:\S+)/);
  return { ...server, url };
}

// Once for both rounds: to publish such a text takes a while.
let environment: Parameters<typeof startServer>[0];

beforeAll(async () => {
  const publisher = await createTestApp();
  await createPosts(publisher, [{ slug: 'long', content: LONG_TEXT }]);
  await publisher.close();
  environment = publisher.environment;
});

describeFault(`${HEADS + BODIES + READERS} slow connections`, {
  protection: 'the limit for heads',
  run: async (isProtected) => {
    const { pid, url, stop } = await (isProtected ? startServer : startPatientServer)(environment);
    const visitors = sendVisitors(
      url,
      [paths.home, paths.blogs].map((path) => ({ path })),
    );
    const harm: string[] = [];
    await holdReading(url + paths.blog('long'));
    await until(() => visitors.count > 200);
    const before = { descriptors: descriptorsOf(pid), megabytes: megabytesOf(pid) };

    const heads = await Promise.all(times(HEADS, () => speakTo(url, 'GET / HTTP/1.1\r\nhost: ')));
    const bodies = await Promise.all(times(BODIES, () => speakTo(url, HALF_BODY)));
    const readers = await Promise.all(times(READERS, () => holdReading(url + paths.blog('long'))));
    const seen = visitors.count;
    await until(() => visitors.count > seen + 200);
    const grown = Math.round(megabytesOf(pid) - before.megabytes);
    if (grown > MEMORY_MB) harm.push(`the process grew by ${grown} MB`);

    await Promise.all(bodies.map(({ closed }) => closed));
    const patience = delay(isProtected ? 30_000 : 3_000, undefined, { ref: false });
    await Promise.race([Promise.all(heads.map(({ closed }) => closed)), patience]);
    const open = heads.filter(({ socket }) => !socket.destroyed).length;
    if (open > 0) harm.push(`${open} connections without a request are still open`);
    const kept = descriptorsOf(pid) - before.descriptors - READERS;
    if (isProtected && kept > 10) harm.push(`${kept} descriptors are still taken`);
    // Who reads slowly gets everything.
    const answers = await Promise.all(readers.map((reader) => reader.finish()));
    const cut = answers.filter(({ status, body }) => status !== 200 || !body.includes('</html>')).length;
    if (cut > 0) harm.push(`${cut} slow readers were cut off`);
    await visitors.leave();
    await stop();
    return [...harm, ...visitors.failures];
  },
});
