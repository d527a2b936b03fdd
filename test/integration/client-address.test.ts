import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { EntityManager } from '@mikro-orm/postgresql';
import { describe, expect, it } from '@jest/globals';
import { DoctorService } from '../../src/doctor/doctor.service.js';
import { examineConfig } from '../../src/doctor/examined-config.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildEnquiry } from '../support/enquiries.js';
import type { Variables } from '../support/environment.js';
import { createInstallation } from '../support/installation.js';
import { startServer } from '../support/process.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { until } from '../support/until.js';

// Clients of these tests are on this machine, as a proxy in front of the server is.
const HERE = '127.0.0.1';

interface Site {
  readonly app: TestApp;
  readonly port: number;
}

async function startSite(settings: Variables): Promise<Site> {
  const app = await createTestApp({
    AUTH_MAIL_AUTOCONFIRM: 'true',
    AUTH_RATE_LIMIT_SIGNUP: '0',
    AUTH_RATE_LIMIT_MAIL: '0',
    CONTACT_RATE_LIMIT_ADDRESS: '2',
    ...settings,
  });
  return { app, port: Number(new URL(await app.listen()).port) };
}

/** Sends exactly these lines of a head, and returns the whole answer. */
async function post(port: number, path: string, body: object, headers: readonly string[]): Promise<string> {
  const content = JSON.stringify(body);
  const socket = connect(port, HERE);
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: site.test',
    'connection: close',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(content)}`,
    ...headers,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${content}`);
  return await text(socket);
}

let people = 0;

/** The address that is stored with the session of somebody who signs up with these headers. */
async function storedAddress({ app, port }: Site, headers: readonly string[]): Promise<string | undefined> {
  const email = `person-${(people += 1)}@company.test`;
  const answer = await post(port, '/auth/v1/signup', { email, password: 'correct horse 7' }, headers);
  expect(answer).toContain('access_token');
  const em = app.get(EntityManager).fork();
  const [row] = await em.execute<{ ip: string }[]>(
    'select s.ip from auth.sessions s join auth.users u on u.id = s.user_id where u.email = ?',
    [email],
  );
  return row?.ip;
}

const forwarded = (value: string) => [`X-Forwarded-For: ${value}`];

describe('the address of a client', () => {
  it('is that of the connection where no proxy is trusted', async () => {
    const site = await startSite({});
    const headers = ['X-Forwarded-For: 192.0.2.1', 'Forwarded: for=192.0.2.1', 'X-Real-IP: 192.0.2.1'];
    for (const header of fewOf(headers, (one) => one.startsWith('X-Forwarded'))) {
      expect(await storedAddress(site, [header])).toBe(HERE);
    }
    expect(await storedAddress(site, [])).toBe(HERE);
  });

  it('is the first from the right that is no trusted proxy', async () => {
    const site = await startSite({ TRUSTED_PROXIES: 'loopback, 10.0.0.0/8, 2001:db8:aaaa::/48' });
    const expected: readonly (readonly [string, string])[] = [
      ['192.0.2.1', '192.0.2.1'],
      // Whatever stands left of it is anybody's invention.
      ['10.0.0.1, 127.0.0.1, 192.0.2.1', '192.0.2.1'],
      ['192.0.2.9, 192.0.2.1, 10.0.0.1', '192.0.2.1'],
      ['192.0.2.1,10.0.0.1 , 10.9.9.9', '192.0.2.1'],
      ['192.0.2.1:4711', '192.0.2.1'],
      ['"192.0.2.1:4711"', '192.0.2.1'],
      ['192.0.2.1, 10.0.0.1:4711', '192.0.2.1'],
      ['::ffff:192.0.2.1, ::ffff:10.0.0.1', '192.0.2.1'],
      ['[2001:DB8:0::1]:4711, 2001:db8:aaaa::7', '2001:db8::1'],
      ['2001:db8::1%eth0', '2001:db8::1'],
      // No address: the nearest proxy that says so.
      ['unknown', HERE],
      ['192.0.2.1, _hidden, 10.0.0.1', '10.0.0.1'],
      ['192.0.2.1, 1.2.3', HERE],
      [`${'x'.repeat(3000)}`, HERE],
      ['', HERE],
      [' , ,', HERE],
    ];
    // One of each way to write an entry.
    const few = [
      '192.0.2.9, 192.0.2.1, 10.0.0.1',
      '"192.0.2.1:4711"',
      '::ffff:192.0.2.1, ::ffff:10.0.0.1',
      '[2001:DB8:0::1]:4711, 2001:db8:aaaa::7',
      'unknown',
      '192.0.2.1, _hidden, 10.0.0.1',
    ];
    for (const [value, address] of fewOf(expected, ([one]) => few.includes(one))) {
      expect({ value, address: await storedAddress(site, forwarded(value)) }).toEqual({ value, address });
    }
    // Two headers are one list, as the standard says.
    expect(await storedAddress(site, [...forwarded('192.0.2.1'), ...forwarded('192.0.2.2, 10.0.0.1')])).toBe(
      '192.0.2.2',
    );
    // That header of RFC 7239 is not read: proxies pass on what clients send in it.
    expect(await storedAddress(site, ['Forwarded: for=192.0.2.7', ...forwarded('192.0.2.1')])).toBe('192.0.2.1');
  });

  it('is as many entries from the right as there are proxies', async () => {
    const site = await startSite({ TRUSTED_PROXIES: '2' });
    expect(await storedAddress(site, forwarded('192.0.2.9, 192.0.2.1, 198.51.100.7'))).toBe('192.0.2.1');
    expect(await storedAddress(site, forwarded('192.0.2.1'))).toBe('192.0.2.1');
    expect(await storedAddress(site, forwarded('192.0.2.9, nonsense, 198.51.100.7'))).toBe('198.51.100.7');
    expect(await storedAddress(site, [])).toBe(HERE);
  });

  it('is what limits enquiries, and cannot be chosen by whoever writes', async () => {
    const { port } = await startSite({ TRUSTED_PROXIES: 'loopback' });
    const send = async (value: string) => {
      const answer = await post(port, '/api/contact', buildEnquiry(), forwarded(value));
      return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
    };
    const invented = ['192.0.2.1', '1.1.1.1, 192.0.2.1', '2.2.2.2, 192.0.2.1'];
    expect([await send(invented[0]!), await send(invented[1]!), await send(invented[2]!)]).toEqual([200, 200, 429]);
    expect(await send('192.0.2.2')).toBe(200);
  });

  itSlow('comes from the header of AUTH_IP_HEADER for one more version, unless proxies are named', async () => {
    const legacy = await startSite({ AUTH_IP_HEADER: 'X-Client' });
    expect(await storedAddress(legacy, ['x-client: 192.0.2.9, 192.0.2.1'])).toBe('192.0.2.1');
    expect(await storedAddress(legacy, ['x-client: nonsense'])).toBe(HERE);
    expect(legacy.app.config.warnings).toEqual([expect.stringMatching(/^AUTH_IP_HEADER: works for one more version/)]);
    const both = await startSite({ AUTH_IP_HEADER: 'X-Client', TRUSTED_PROXIES: 'loopback' });
    expect(await storedAddress(both, ['x-client: 192.0.2.1', ...forwarded('192.0.2.2')])).toBe('192.0.2.2');
    expect(both.app.config.warnings).toEqual([expect.stringMatching(/^AUTH_IP_HEADER: does nothing beside/)]);
  });
});

describe('a proxy that is not trusted', () => {
  const findingsOf = async (environment: Variables) =>
    (await new DoctorService(examineConfig(environment)).examine()).filter(({ check }) => check === 'proxies');

  itSlow('is named in the log, once, and by the doctor until it is trusted', async () => {
    const { environment } = await createInstallation({ LOG_LEVEL: 'warn' });
    expect(await findingsOf(environment)).toMatchObject([{ level: 'ok', message: 'visitors connect by themselves' }]);
    const server = await startServer({ ...environment, AUTH_IP_HEADER: '' });
    for (const client of ['192.0.2.1', '192.0.2.2']) {
      await fetch(`${server.url}/api/posts`, { headers: { 'x-forwarded-for': client } });
    }
    await until(async () => (await findingsOf(environment))[0]?.level === 'warn');
    expect(await findingsOf(environment)).toMatchObject([
      {
        message: expect.stringMatching(/^X-Forwarded-For comes from 127\.0\.0\.1, which TRUSTED_PROXIES does not name/),
        advice: expect.stringContaining('TRUSTED_PROXIES=127.0.0.1'),
      },
    ]);
    const { stdout } = await server.stop();
    expect(stdout.match(/X-Forwarded-For comes from 127\.0\.0\.1/g)).toHaveLength(1);
    for (const trusted of ['loopback', '1']) {
      expect(await findingsOf({ ...environment, TRUSTED_PROXIES: trusted })).toMatchObject([{ level: 'ok' }]);
    }
    expect(await findingsOf({ ...environment, TRUSTED_PROXIES: '10.0.0.0/8' })).toMatchObject([{ level: 'warn' }]);
  });

  itSlow('of old is told of at the start, and by the doctor', async () => {
    const { environment } = await createInstallation({ LOG_LEVEL: 'warn', AUTH_IP_HEADER: 'X-Forwarded-For' });
    const server = await startServer(environment);
    const { stdout } = await server.stop();
    expect(stdout.match(/AUTH_IP_HEADER: works for one more version/g)).toHaveLength(1);
    const findings = await new DoctorService(examineConfig(environment)).examine();
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'configuration',
        level: 'warn',
        message: expect.stringMatching(/^AUTH_IP_HEADER: /),
      }),
    );
  });
});
