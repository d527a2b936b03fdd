import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.js';
import { makeCertificate } from '../support/certificates.js';
import { onCleanup } from '../support/cleanup.js';
import { runCli } from '../support/cli.js';
import { createInstallation } from '../support/installation.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { untilEqual } from '../support/until.js';

const ROLE = 'site_server';

/** Addresses of a database that lets its role in by a certificate, and by nothing else. */
let withCertificate: string;
let withAnother: string;
let without: string;

/** Keeps a certificate in files, and returns their part of an address. */
async function keep(name: string): Promise<{ readonly cert: string; readonly query: string }> {
  const { cert, key } = await makeCertificate(name);
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'cert.pem'), cert);
  writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 });
  return { cert, query: `sslcert=${join(folder, 'cert.pem')}&sslkey=${join(folder, 'key.pem')}` };
}

beforeAll(async () => {
  const folder = temporaryFolder();
  const server = await startEmbeddedPostgres({ folder, isDurable: false });
  onCleanup(() => server.stop());
  const cluster = join(folder, 'cluster');
  const own = await makeCertificate();
  const client = await keep(ROLE);
  const stranger = await keep(ROLE);
  writeFileSync(join(cluster, 'server.crt'), own.cert);
  writeFileSync(join(cluster, 'server.key'), own.key, { mode: 0o600 });
  writeFileSync(join(cluster, 'clients.crt'), client.cert);
  const hba = join(cluster, 'pg_hba.conf');
  const others = readFileSync(hba, 'utf8');
  writeFileSync(hba, `hostssl all ${ROLE} all cert\nhost all ${ROLE} all reject\n${others}`);

  const operator = new pg.Client({ connectionString: server.url });
  await operator.connect();
  const { database } = operator;
  await operator.query(`create role ${ROLE} login; alter database "${database}" owner to ${ROLE}`);
  await operator.query(`alter schema public owner to ${ROLE}`);
  appendFileSync(
    join(cluster, 'postgresql.conf'),
    "ssl = on\nssl_cert_file = 'server.crt'\nssl_key_file = 'server.key'\nssl_ca_file = 'clients.crt'\n",
  );
  await operator.query('select pg_reload_conf()');
  await untilEqual(async () => (await operator.query<{ ssl: string }>('show ssl')).rows[0]?.ssl, 'on');
  await operator.end();

  const trusted = join(cluster, 'server.crt');
  const address = `postgresql://${ROLE}@localhost:${new URL(server.url).port}/${database}?sslmode=verify-full&sslrootcert=${trusted}`;
  without = address;
  withCertificate = `${address}&${client.query}`;
  withAnother = `${address}&${stranger.query}`;
});

describe('a database that knows servers by their certificates', () => {
  it('is used without any password, and by nobody else', async () => {
    const { environment } = await createInstallation({});
    const migrate = (url: string) => runCli(['db', 'migrate'], { ...environment, DATABASE_URL: url });
    for (const address of [without, withAnother]) {
      const refused = await migrate(address);
      expect([refused.code === 0, refused.stdout]).toEqual([false, '']);
    }
    expect(await migrate(withCertificate)).toMatchObject({ code: 0, stderr: '' });
    const granted = await runCli(['roles', 'list'], { ...environment, DATABASE_URL: withCertificate });
    expect(granted).toMatchObject({ code: 0, stderr: '' });
  });
});
