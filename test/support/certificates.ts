import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import { generate } from 'selfsigned';
import { onCleanup } from './cleanup.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const RECOMMENDED: TlsOptions = { minVersion: 'TLSv1.2', ciphers: 'ECDHE+AESGCM' };

/** A certificate that signs itself: who trusts it names it as an authority. Both as PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/**
 * Makes a certificate for a name.
 * @param life days for which it has been good, and for which it still is
 */
export async function makeCertificate(name = 'localhost', life = { before: 10, after: 80.5 }): Promise<Certificate> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    notBeforeDate: new Date(Date.now() - life.before * DAY_MS),
    notAfterDate: new Date(Date.now() + life.after * DAY_MS),
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
  });
  return { key, cert };
}

/**
 * Starts a server that shakes hands and says nothing; returns its address with the name localhost.
 * @param options a certificate, and other versions and ciphers than those that are recommended
 */
export async function startTlsServer(options: TlsOptions): Promise<string> {
  const server = createServer({ ...RECOMMENDED, ...options }, (socket) => socket.on('error', () => undefined));
  // Clients that take back their hand are what tests are about.
  server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(() => void server.close());
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}
