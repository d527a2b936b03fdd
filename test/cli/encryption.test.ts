import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Finding } from '../../src/doctor/doctor.service.js';
import { makeCertificate, startTlsServer, type Certificate } from '../support/certificates.js';
import { runCli } from '../support/cli.js';
import type { Variables } from '../support/environment.js';
import { createInstallation } from '../support/installation.js';
import { itSlow } from '../support/slow-tests.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// Real processes, which trust what the machine trusts, and what Node is told to.

let site: Variables;
let certificate: Certificate;
let sink: SmtpSink;
let trusting: Readonly<Record<string, string>>;

beforeAll(async () => {
  certificate = await makeCertificate();
  sink = await startSmtpSink(certificate);
  const file = join(temporaryFolder(), 'authority.pem');
  writeFileSync(file, certificate.cert);
  trusting = { NODE_EXTRA_CA_CERTS: file };
  site = (await createInstallation({ SMTP_URL: sink.url })).environment;
});

const diagnose = async (variables: Variables) => {
  const { code, stdout } = await runCli(['doctor', '--json'], { ...site, ...variables });
  const findings = JSON.parse(stdout) as Finding[];
  return { code, find: (check: string) => findings.find((finding) => finding.check === check) };
};

describe('doctor', () => {
  itSlow('is content with a site whose ways are encrypted', async () => {
    const url = await startTlsServer(certificate);
    const { code, find } = await diagnose({ ...trusting, PUBLIC_URL: url });
    expect([code, find('public-url'), find('mail'), find('encryption')]).toEqual([
      0,
      expect.objectContaining({ level: 'ok', message: expect.stringContaining('its certificate is good for 80 more') }),
      expect.objectContaining({ level: 'ok' }),
      expect.objectContaining({ level: 'ok' }),
    ]);
  });

  it('fails where certificates are not trusted, and names ways that nobody has to encrypt', async () => {
    const url = await startTlsServer(certificate);
    const far = {
      STORAGE_DRIVER: 's3',
      S3_ENDPOINT: 'http://0.0.0.0:1',
      S3_ACCESS_KEY_ID: 'a',
      S3_SECRET_ACCESS_KEY: 'b',
    };
    const { code, find } = await diagnose({ ...far, PUBLIC_URL: url });
    expect([code, find('public-url'), find('mail'), find('encryption')]).toEqual([
      1,
      expect.objectContaining({ level: 'fail', message: `browsers refuse ${url}: DEPTH_ZERO_SELF_SIGNED_CERT` }),
      expect.objectContaining({ level: 'fail' }),
      expect.objectContaining({ level: 'warn', message: expect.stringMatching(/^S3_ENDPOINT does not make sure/) }),
    ]);
  });
});

describe('mails', () => {
  itSlow('go to a server that proved who it is, and to no other', async () => {
    const send = ['mail', 'test', 'ada@example.com'];
    const refused = await runCli(send, site);
    expect([refused.code, refused.stdout, sink.attempts]).toEqual([2, '', 0]);
    expect(await runCli(send, { ...site, ...trusting })).toMatchObject({ code: 0 });
    expect((await sink.nextMail()).to).toEqual(['ada@example.com']);
  });

  itSlow('do not go in the clear where TLS is required', async () => {
    const plain = await startSmtpSink();
    const { code } = await runCli(['mail', 'test', 'ada@example.com'], {
      ...site,
      SMTP_URL: `${plain.url}?requireTLS=true`,
    });
    expect([code, plain.attempts]).toEqual([2, 0]);
  });
});
