import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ImageUnavailableError, InnerSiteError, PassingTroubleError } from './image-unavailable.error.js';

/** An address that a connection may be made to. */
export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Finds the addresses of a host name; rejects when there are none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** All that is given out as global unicast (IANA, RFC 4291), and in it what is documentation (RFC 9637). */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');
const documentation = new BlockList();
documentation.addSubnet('3fff::', 20, 'ipv6');

/** Asks the system, so that its hosts file counts too. */
export const resolveBySystem: Resolve = async (host) => {
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
};

/**
 * Returns true for the address of a machine on the public internet. Refuses everything else: this machine, private and
 * link-local networks (and with them the metadata services of clouds), carriers' networks, multicast, documentation,
 * and every IPv6 form that wraps an IPv4 address (mapped, NAT64, 6to4, Teredo).
 * @param address as the system writes it, without brackets
 */
export function isPublicAddress(address: string): boolean {
  // The strict form: 0x7f.1 and 2130706433 are no addresses here.
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address).range() === 'unicast';
  if (isIP(address) !== 6 || address.includes('%')) return false;
  return (
    ipaddr.IPv6.parse(address).range() === 'unicast' &&
    globalUnicast.check(address, 'ipv6') &&
    !documentation.check(address, 'ipv6')
  );
}

/**
 * The addresses of a host, every one of them public, unless the host is trusted.
 * @param host as in `URL.hostname`, which has turned every way to write an IPv4 address into the usual one
 * @throws ImageUnavailableError when one of them is not public; PassingTroubleError when there are none
 */
export async function findPublicAddresses(
  host: string,
  trustedHosts: ReadonlySet<string>,
  resolve: Resolve,
): Promise<readonly CheckedAddress[]> {
  const literal = host.replace(/^\[|\]$/g, '');
  const isName = isIP(literal) === 0;
  const addresses = isName ? await resolveOrExplain(host, resolve) : [literal];
  const refused = addresses.find((address) => isIP(address) === 0 || !isPublicAddress(address));
  if (refused !== undefined && !trustedHosts.has(host)) {
    const message = `is at a private address (${refused}), which is refused`;
    throw isName ? new InnerSiteError(message) : new ImageUnavailableError(message);
  }
  return addresses.map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4 }));
}

async function resolveOrExplain(host: string, resolve: Resolve): Promise<readonly string[]> {
  const message = `is on a site that was not found (${host})`;
  const addresses = await resolve(host).catch((cause: unknown) => {
    throw new PassingTroubleError(message, { isSilence: true, cause });
  });
  if (addresses.length === 0) throw new PassingTroubleError(message, { isSilence: true });
  return addresses;
}
