import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { makeCertificate, startTlsServer } from '../../test/support/certificates.js';
import { onCleanup } from '../../test/support/cleanup.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { loadConfig } from '../config/config.js';
import { checkPublicUrl } from './check-public-url.js';

const certificate = await makeCertificate();
const check = (url: string, options: Parameters<typeof checkPublicUrl>[1] = { ca: certificate.cert }) =>
  checkPublicUrl(loadConfig({ NODE_ENV: 'test', PUBLIC_URL: url, DATA_DIR: temporaryFolder() }), options);

describe('the check of the public address', () => {
  it('tells what a proxy that is well speaks, and for how long', async () => {
    const modern = await startTlsServer(certificate);
    expect(await check(modern)).toMatchObject({
      level: 'ok',
      message: `${modern} speaks TLSv1.3; its certificate is good for 80 more days`,
    });
    const older = await startTlsServer({ ...certificate, maxVersion: 'TLSv1.2' });
    expect(await check(older)).toMatchObject({ level: 'ok', message: expect.stringContaining('speaks TLSv1.2; ') });
  });

  it.each([
    ['a certificate that nobody signed', makeCertificate(), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['a certificate of another name', makeCertificate('other.test'), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['a certificate that has ended', makeCertificate('localhost', { before: 90, after: -1 }), 'CERT_HAS_EXPIRED'],
    ['a certificate of tomorrow', makeCertificate('localhost', { before: -1, after: 90 }), 'CERT_NOT_YET_VALID'],
  ])('fails with %s', async (_name, made, code) => {
    const wrong = await made;
    const url = await startTlsServer(wrong);
    const trusted = code.startsWith('DEPTH') ? certificate.cert : wrong.cert;
    expect(await check(url, { ca: trusted })).toMatchObject({
      level: 'fail',
      message: `browsers refuse ${url}: ${code}`,
    });
  });

  it('fails where visitors are led to their own machine, but not in the demo, which is for this one', async () => {
    const variables = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'http://localhost:3000',
      DATABASE_URL: 'embedded',
      AUTH_JWT_KEYS: 'generated',
      AUTH_TOKEN_SECRET: 'generated',
      SITE_EMAIL: 'desk@it.example',
      SMTP_URL: 'smtp://mail.example',
    };
    const message = 'http://localhost:3000 is this machine only';
    expect(await checkPublicUrl(loadConfig(variables))).toMatchObject({ level: 'fail', message });
    const demo = loadConfig(variables, { showsPlaceholders: true });
    expect(await checkPublicUrl(demo)).toMatchObject({ level: 'ok', message: 'http://localhost:3000' });
  });

  it('warns of a certificate that was not renewed, by how long it lives', async () => {
    const late = await makeCertificate('localhost', { before: 77, after: 13.5 });
    const url = await startTlsServer(late);
    expect(await check(url, { ca: late.cert })).toMatchObject({
      level: 'warn',
      message: `${url} speaks TLSv1.3; its certificate is good for 13 more days`,
    });
    // As those that live for six days are on their third.
    const short = await makeCertificate('localhost', { before: 3, after: 3.5 });
    expect(await check(await startTlsServer(short), { ca: short.cert })).toMatchObject({ level: 'ok' });
  });

  it('warns of old versions and weak ciphers that are taken beside the good ones', async () => {
    const old = { ...certificate, minVersion: 'TLSv1', ciphers: 'ECDHE+AESGCM:ECDHE+SHA1:@SECLEVEL=0' } as const;
    expect(await check(await startTlsServer(old))).toMatchObject({
      level: 'warn',
      message: expect.stringMatching(/speaks TLSv1.3; .*also takes TLS_ECDHE_\w+_CBC_SHA of TLSv1\.1 and TLS_/),
    });
    const weak = { ...certificate, ciphers: 'ECDHE+AESGCM:AES128-GCM-SHA256' };
    expect(await check(await startTlsServer(weak))).toMatchObject({
      level: 'warn',
      message: expect.stringMatching(/speaks TLSv1.3; .*also takes TLS_RSA_WITH_AES_128_GCM_SHA256 of TLSv1\.2$/),
    });
  });

  it('fails where there is nothing but old versions, or no TLS at all', async () => {
    const url = await startTlsServer({
      ...certificate,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'ALL:@SECLEVEL=0',
    });
    expect(await check(url)).toMatchObject({ level: 'fail', message: expect.stringContaining('browsers refuse') });
    const plain = await listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await check(plain)).toMatchObject({ level: 'fail' });
  });

  it('only notes what it cannot reach, or what never answers', async () => {
    expect(await check('https://localhost:1')).toMatchObject({
      level: 'warn',
      message: 'https://localhost:1 cannot be reached from here (ECONNREFUSED), so its certificate was not looked at',
    });
    const silent = await listen(() => undefined);
    expect(await check(silent, { limitMs: 50 })).toMatchObject({
      level: 'warn',
      message: expect.stringContaining('cannot be reached from here (no answer within 0.05 s)'),
    });
  });
});

/** A server without TLS. */
async function listen(handle: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    handle(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}
