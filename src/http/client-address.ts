import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Config } from '../config/config.js';
import { createProxyTrust, type ProxyTrust } from '../config/trusted-proxies.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The IP address of the client, in its shortest form: of the connection, or what proxies that are trusted say. */
    readonly clientAddress: string;
  }
}

/** For the framework's option `trustProxy`, which reads X-Forwarded-For from the right for as long as it is trusted. */
export function trustProxies({ trustedProxies }: Config['server']): ProxyTrust {
  const isTrusted = createProxyTrust(trustedProxies);
  return (entry, hop) => isTrusted(toAddress(entry) ?? '', hop);
}

/** Makes {@link FastifyRequest.clientAddress} there for every request. */
export function addClientAddress(fastify: FastifyInstance, { addressHeader }: Config['server']): void {
  fastify.decorateRequest('clientAddress', {
    getter() {
      const named = addressHeader === undefined ? undefined : readLastEntry(this, addressHeader);
      return named ?? readForwarded(this) ?? this.socket.remoteAddress ?? '';
    },
  });
}

/** What is no address was made up, or by a proxy that hides it: then the nearest one in front of it counts. */
function readForwarded({ ips = [] }: FastifyRequest): string | undefined {
  return ips.map(toAddress).findLast((address) => address !== undefined);
}

function readLastEntry({ headers }: FastifyRequest, header: string): string | undefined {
  const entries = [headers[header] ?? ''].flat().join(',').split(',');
  return toAddress(entries.at(-1)?.trim() ?? '');
}

/**
 * The address in an entry of a header, which some proxies write with a port, brackets or quotes; undefined if there is
 * none. IPv4 addresses that are written as IPv6 ones come out as what they are.
 */
export function toAddress(entry: string | undefined): string | undefined {
  const bare = (entry ?? '').replace(/^"(.*)"$/, '$1');
  const [, bracketed, v4] = /^\[([^\]]+)\](?::\d+)?$|^(\d+(?:\.\d+){3}):\d+$/.exec(bare) ?? [];
  const address = (bracketed ?? v4 ?? bare).replace(/%.*$/, '');
  return isIP(address) === 0 ? undefined : ipaddr.process(address).toString();
}
