import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { SHUTDOWN_MS } from '../../src/config/time-limits.js';
import type { AdminPostPage } from '../../src/shared/contracts/admin-posts.js';
import { paths } from '../../src/shared/paths.js';
import { onCleanup } from '../support/cleanup.js';
import { callAs, createMember, startSession, type Member } from '../support/admin-area.js';
import { ask } from '../support/ask.js';
import { statusOf } from '../support/balancer.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { cloneDatabase } from '../support/database.js';
import { openDatabaseGate } from '../support/database-gate.js';
import { buildEnquiry } from '../support/enquiries.js';
import { createPosts } from '../support/factories.js';
import { holdReading, holdSending } from '../support/held-request.js';
import { startServer } from '../support/process.js';
import { speakTo } from '../support/raw-connection.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { startSmtpSink } from '../support/smtp-sink.js';
import { until, untilEqual } from '../support/until.js';
import { isHolding, workersOf } from '../support/workers-of.js';

let app: TestApp;
let databaseUrl: string;
let ada: Member;

/** Far more than what networks keep, and no more: a busy machine has to render it in time. */
const LONG_TEXT = `<p>${'A long way to read. '.repeat(150_000)}</p>`;

beforeAll(async () => {
  databaseUrl = await cloneDatabase();
  app = await createTestApp({ DATABASE_URL: databaseUrl });
  await createPosts(app, [{ slug: 'long', content: LONG_TEXT }]);
  ada = await createMember(app, 'ada@example.com');
  // Its workers would send the mails of the others.
  await app.close();
});

describe('a process that is told to end', () => {
  const endings = [
    { workers: '1', signal: 'SIGTERM' },
    { workers: '2', signal: 'SIGHUP' },
  ] as const;

  itSlow.each(endings)('tells balancers first and goes on serving ($workers, $signal)', async ({ workers, signal }) => {
    const server = await startServer({ ...app.environment, WEB_CONCURRENCY: workers, SHUTDOWN_DELAY: '3' });
    await untilEqual(() => statusOf(`${server.url}/api/health/ready`), 200);
    // What a process makes first takes a part of the time that there is before it ends.
    await untilEqual(() => statusOf(server.url + paths.home), 200);
    // As a terminal does: to the whole group.
    for (const pid of [...workersOf(server.pid), server.pid]) process.kill(pid, signal);
    await until(async () => (await statusOf(`${server.url}/api/health/ready`)) === 503);
    const page = await ask(server.url + paths.home, { connection: 'keep-alive' });
    // It may stay: nobody is sent away before balancers had their time.
    expect({ status: page.status, connection: page.headers.connection }).toEqual({
      status: 200,
      connection: 'keep-alive',
    });
    expect(await statusOf(`${server.url}/api/health/live`)).toBe(200);
    expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  it.each(fewOf(['1', '2'], (workers) => workers === '1'))(
    'answers all who stood at its door, which the system opens before the process does (%s)',
    async (workers) => {
      const server = await startServer({ ...app.environment, WEB_CONCURRENCY: workers });
      const pids = [...workersOf(server.pid), server.pid];
      // A first page may take longer on a busy machine than the database has for it.
      await untilEqual(() => statusOf(server.url + paths.blogs), 200);
      // Whoever comes now is connected, and waits for a process that does nothing.
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      const request = `GET ${paths.blogs} HTTP/1.1\r\nhost: site.test\r\n\r\n`;
      const waiting = await Promise.all(Array.from({ length: 10 }, () => speakTo(server.url, request)));
      for (const pid of pids) process.kill(pid, 'SIGTERM');
      for (const pid of pids) process.kill(pid, 'SIGCONT');
      const answers = await Promise.all(waiting.map(({ closed }) => closed));
      expect(answers.map((answer) => answer.slice(0, 15))).toEqual(answers.map(() => 'HTTP/1.1 200 OK'));
      expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    },
  );

  itSlow('lets go of the port where it only watches workers, which serve on until they close it', async () => {
    const server = await startServer({ ...app.environment, WEB_CONCURRENCY: '2', SHUTDOWN_DELAY: '3' });
    const port = Number(new URL(server.url).port);
    const workers = workersOf(server.pid);
    expect([server.pid, ...workers].map((pid) => isHolding(pid, port))).toEqual([true, true, true]);
    process.kill(server.pid, 'SIGTERM');
    await until(() => !isHolding(server.pid, port));
    expect(workers.map((pid) => isHolding(pid, port))).toEqual([true, true]);
    expect((await ask(server.url + paths.home)).status).toBe(200);
    expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  itSlow('still knows who asks while it answers what has begun', async () => {
    const server = await startServer({ ...app.environment });
    const session = await startSession(server.url, ada);
    const { items } = await callAs<AdminPostPage>(server.url, session, 'GET', '/api/admin/posts');
    const held = await holdSending(
      `${server.url}/api/admin/posts/${items[0]?.id}/presence`,
      { authorization: `Bearer ${session.access_token}`, 'content-type': 'application/json' },
      JSON.stringify({ tab: randomUUID() }),
    );
    process.kill(server.pid, 'SIGTERM');
    const isOpen = () =>
      fetch(`${server.url}/api/health/live`).then(
        () => true,
        () => false,
      );
    await until(async () => !(await isOpen()));
    expect(await held.finish()).toMatchObject({ status: 200 });
    expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  itSlow('waits for nobody who asked for a tunnel and stays connected', async () => {
    const server = await startServer(app.environment);
    const { hostname, port } = new URL(server.url);
    const tunnel = connect({ host: hostname, port: Number(port), allowHalfOpen: true }).on('error', () => undefined);
    onCleanup(() => void tunnel.destroy());
    tunnel.write('CONNECT site.test:443 HTTP/1.1\r\nhost: site.test\r\n\r\n');
    const [answer] = (await once(tunnel, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 405 /);
    expect(await server.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  it('ends whatever hangs, and says what did', async () => {
    const [gate, sink] = await Promise.all([openDatabaseGate(databaseUrl), startSmtpSink()]);
    const server = await startServer({ ...app.environment, DATABASE_URL: gate.url, SMTP_URL: sink.url });
    sink.behave('hang');
    const { url } = server;
    const headers = { 'content-type': 'application/json' };
    expect(
      (await fetch(`${url}/api/contact`, { method: 'POST', headers, body: JSON.stringify(buildEnquiry()) })).ok,
    ).toBe(true);
    await until(() => sink.offeredIds.length > 0);
    // Who does not read, does not send, and asks what the database does not answer.
    const reader = await holdReading(url + paths.blog('long'));
    const sender = await speakTo(url, 'POST /api/contact HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{');
    const header = await speakTo(url, 'GET / HTTP/1.1\r\nhost: ');
    gate.silence();
    const asking = ask(`${url}/api/posts`).catch(() => undefined);

    const begunAt = performance.now();
    const { code, signal, stderr } = await server.stop();
    const elapsed = performance.now() - begunAt;
    expect({ signal, isInTime: elapsed < SHUTDOWN_MS }).toEqual({ signal: null, isInTime: true });
    // A mail and a statement have limits of their own: on a slow machine they may be given up before the process is.
    const said = /^Ended without waiting any longer for .*\(onApplicationShutdown\).*\.\n$/;
    expect(stderr).toMatch(code === 0 ? /^$/ : said);
    const outcome = await reader.finish().then(
      () => 'read to the end',
      () => 'cut off',
    );
    expect(outcome).toBe('cut off');
    await Promise.all([sender.closed, header.closed, asking]);
  });
});
