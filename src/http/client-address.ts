import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Config } from '../config/config.js';
import { createProxyTrust, type ProxyTrust } from '../config/trusted-proxies.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** IP address of the client, in its shortest form: of the connection, or as trusted proxies tell it. */
    readonly clientAddress: string;
  }
}

/** For the framework's option `trustProxy`, which reads X-Forwarded-For from the right for as long as it is trusted. */
export function trustProxies({ trustedProxies }: Config['server']): ProxyTrust {
  const isTrusted = createProxyTrust(trustedProxies);
  return (entry, hop) => isTrusted(toAddress(entry) ?? '', hop);
}

/** Makes `request.clientAddress` there for every request of the framework. */
export function addClientAddress(fastify: FastifyInstance, server: Config['server']): void {
  const addressOf = createClientAddress(server);
  fastify.decorateRequest('clientAddress', {
    getter() {
      return addressOf(this.raw);
    },
  });
}

/** Found once for each request: when the connection is gone, nobody knows any more where it came from. */
const found = new WeakMap<IncomingMessage, string>();

/**
 * Returns a function that finds the IP address of a client, in front of the framework too; empty when there is none.
 */
export function createClientAddress(server: Config['server']): (request: IncomingMessage) => string {
  const isTrusted = trustProxies(server);
  const { addressHeader } = server;
  return (request) => {
    const known = found.get(request);
    if (known !== undefined) return known;
    const named = addressHeader === undefined ? undefined : readLastEntry(request, addressHeader);
    const address = named ?? readForwarded(request, isTrusted) ?? request.socket.remoteAddress ?? '';
    found.set(request, address);
    return address;
  };
}

/**
 * Returns the client's address by X-Forwarded-For. An entry that is no address was made up, or comes from a proxy that
 * hides it: then the nearest trusted proxy's address counts.
 */
function readForwarded(request: IncomingMessage, isTrusted: ProxyTrust): string | undefined {
  // As the framework reads it.
  const addresses = proxyAddr.all(request, isTrusted);
  return addresses.map(toAddress).findLast((address) => address !== undefined);
}

function readLastEntry({ headers }: IncomingMessage, header: string): string | undefined {
  const entries = [headers[header] ?? ''].flat().join(',').split(',');
  return toAddress(entries.at(-1)?.trim() ?? '');
}

/**
 * Returns the address in an entry of a header, which some proxies write with a port, brackets or quotes; undefined if
 * there is none. IPv4 addresses that are written as IPv6 ones become IPv4 addresses.
 */
export function toAddress(entry: string | undefined): string | undefined {
  const bare = (entry ?? '').replace(/^"(.*)"$/, '$1');
  const [, bracketed, v4] = /^\[([^\]]+)\](?::\d+)?$|^(\d+(?:\.\d+){3}):\d+$/.exec(bare) ?? [];
  const address = (bracketed ?? v4 ?? bare).replace(/%.*$/, '');
  return isIP(address) === 0 ? undefined : ipaddr.process(address).toString();
}
