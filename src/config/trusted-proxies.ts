import { BlockList, isIP } from 'node:net';

/** Names of networks, as proxies are often configured with them. */
const NETWORKS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

const MOST_HOPS = 16;

/** The proxies that are trusted about the client's address: their number in a row, or their addresses. */
export type TrustedProxies = number | readonly string[];

const entriesOf = (value: string) => value.split(/[\s,]+/).filter(Boolean);

/** Describes the problem with a value of TRUSTED_PROXIES; null when there is none. */
export function findProxyProblem(value: string): string | null {
  const entries = entriesOf(value);
  if (entries.length === 1 && /^\d+$/.test(entries[0] ?? '')) {
    return Number(entries[0]) <= MOST_HOPS ? null : `must be a number of proxies from 0 to ${MOST_HOPS}, or addresses`;
  }
  const wrong = entries.find((entry) => !isNetwork(entry));
  if (wrong !== undefined) {
    return `must be addresses, networks such as 10.0.0.0/8, ${Object.keys(NETWORKS).join(', ')}, or the number of proxies`;
  }
  // Otherwise any client could invent its address.
  return entries.some((entry) => /\/0+$/.test(entry)) ? 'must not trust every address there is' : null;
}

function isNetwork(entry: string): boolean {
  if (Object.hasOwn(NETWORKS, entry)) return true;
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const family = isIP(address);
  return family !== 0 && !address.includes('%') && (bits === undefined || Number(bits) <= (family === 4 ? 32 : 128));
}

/** The value of TRUSTED_PROXIES, which was found right. */
export function toTrustedProxies(value: string): TrustedProxies {
  const entries = entriesOf(value);
  if (entries.length === 1 && /^\d+$/.test(entries[0] ?? '')) return Number(entries[0]);
  return entries;
}

/** Tells of an address without port, and how many proxies stand between it and this server, whether it is trusted. */
export type ProxyTrust = (address: string, hop: number) => boolean;

/** Makes the rule of a configuration. IPv4 addresses are the same when they are written as IPv6 ones. */
export function createProxyTrust(trusted: TrustedProxies): ProxyTrust {
  if (typeof trusted === 'number') return (_address, hop) => hop < trusted;
  const list = new BlockList();
  for (const entry of trusted.flatMap((name) => NETWORKS[name] ?? [name])) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family);
  }
  return (address) => {
    const family = isIP(address);
    if (family === 0) return false;
    if (family === 6) return list.check(address, 'ipv6');
    return list.check(address, 'ipv4') || list.check(`::ffff:${address}`, 'ipv6');
  };
}
