import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Config } from '../config/config.js';
import { toAddress, trustProxies } from './client-address.js';

/** Headers in which proxies name their clients. */
const FORWARDING_HEADERS = ['x-forwarded-for', 'forwarded'] as const;
/** Noted again after so long, as long as it goes on. */
const NOTE_INTERVAL_MS = 3_600_000;
/** A note that was not renewed for so long is ignored. */
const NOTE_LIFETIME_MS = 24 * NOTE_INTERVAL_MS;

/** A connection on which a header came that nobody believes. */
export interface ForwardingNote {
  readonly address: string;
  readonly header: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const fileOf = (dataDir: string) => join(dataDir, 'untrusted-proxy.json');

/**
 * Warns in the log when a proxy forwards requests that TRUSTED_PROXIES does not name, and notes it for the doctor, which
 * is another process: then all clients of that proxy have one address, and share one limit.
 */
export function noteUntrustedForwarding(fastify: FastifyInstance, { server, dataDir }: Config): void {
  const isTrusted = trustProxies(server);
  const logger = new Logger('Proxies');
  const notedAt = new Map<boolean, number>();
  fastify.addHook('onRequest', (request, _reply, done) => {
    done();
    const header = FORWARDING_HEADERS.find((name) => request.headers[name] !== undefined);
    if (header === undefined || server.addressHeader !== undefined) return;
    const address = addressOfConnection(request);
    if (address === undefined || isTrusted(address, 0)) return;
    // A proxy is nearly always near; from afar anybody can send the header, and must not hide that a proxy does.
    const isNear = ipaddr.parse(address).range() !== 'unicast';
    const last = notedAt.get(isNear);
    if (last !== undefined && Date.now() - last < NOTE_INTERVAL_MS) return;
    if (last === undefined) logger.warn(describeUntrusted({ address, header }));
    notedAt.set(isNear, Date.now());
    if (isNear || !notedAt.has(true)) void writeNote(dataDir, { address, header, at: Date.now() });
  });
}

function addressOfConnection({ socket }: FastifyRequest): string | undefined {
  return toAddress(socket.remoteAddress);
}

/** Without a folder to write to there is the log. */
async function writeNote(dataDir: string, note: ForwardingNote): Promise<void> {
  const draft = `${fileOf(dataDir)}.${process.pid}`;
  await mkdir(dataDir, { recursive: true })
    .then(() => writeFile(draft, JSON.stringify(note)))
    .then(() => rename(draft, fileOf(dataDir)))
    .catch(() => undefined);
}

/** The last note of the servers of this data folder; undefined when it is over, or TRUSTED_PROXIES was set meanwhile. */
export function findForwardingNote({ server, dataDir }: Config): ForwardingNote | undefined {
  const file = fileOf(dataDir);
  if (server.addressHeader !== undefined || !existsSync(file)) return undefined;
  const note = JSON.parse(readFileSync(file, 'utf8')) as ForwardingNote;
  const isOver = Date.now() - note.at > NOTE_LIFETIME_MS;
  return isOver || trustProxies(server)(note.address, 0) ? undefined : note;
}

/** One sentence for operators. */
export function describeUntrusted({ address, header }: Pick<ForwardingNote, 'address' | 'header'>): string {
  const name = header === 'forwarded' ? 'Forwarded' : 'X-Forwarded-For';
  return (
    `${name} comes from ${address}, which TRUSTED_PROXIES does not name: it is not believed, and all who come from ` +
    `there share one address and its limits`
  );
}
