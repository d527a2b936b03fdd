/** Returns the household of an address: the address, or its /64 for IPv6, of which one household has all. */
export function householdOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  if (!ip.includes(':')) return ip;
  const [head = '', tail = ''] = ip.split('::');
  const first = head.split(':').filter(Boolean);
  const last = tail.split(':').filter(Boolean);
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  const groups = [...first, ...zeros, ...last].slice(0, 4);
  // However a proxy writes it.
  return `${groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, '')).join(':')}::/64`;
}

/** Returns the network of an address: its /24, or /64 for IPv6. */
export function networkOf(ip: string): string {
  const household = householdOf(ip);
  return household.includes(':') ? household : household.replace(/\.\d+$/, '.0/24');
}
