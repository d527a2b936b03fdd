import { describe, expect, it } from '@jest/globals';
import { loadConfig } from './config.js';
import { createProxyTrust, findProxyProblem, toTrustedProxies } from './trusted-proxies.js';

describe('TRUSTED_PROXIES', () => {
  it('is a number of proxies, or what their addresses are', () => {
    const read = (value: string) => loadConfig({ TRUSTED_PROXIES: value }).server.trustedProxies;
    expect(loadConfig({}).server.trustedProxies).toEqual([]);
    expect(read('2')).toBe(2);
    expect(read(' 0 ')).toBe(0);
    expect(read('loopback, 10.0.0.7,10.1.0.0/16 fd00::/8')).toEqual([
      'loopback',
      '10.0.0.7',
      '10.1.0.0/16',
      'fd00::/8',
    ]);
  });

  it.each([
    'proxy.example',
    '10.0.0.0/33',
    '::/129',
    '10.0.0',
    '-1',
    '17',
    '1, 2',
    '1 loopback',
    '10.0.0.1:80',
    '0.0.0.0/0',
    '::/0',
    'fe80::1%eth0',
    '10.0.0.0/8/8',
    'constructor',
  ])('is not %s', (value) => {
    expect(findProxyProblem(value)).toMatch(/^must /);
  });

  it.each([
    ['loopback', ['127.0.0.1', '127.8.8.8', '::1'], ['128.0.0.1', '::2', '10.0.0.1']],
    ['10.0.0.0/8', ['10.255.0.1'], ['11.0.0.1', '::a00:1', 'fd00::1']],
    ['192.0.2.7', ['192.0.2.7'], ['192.0.2.8']],
    ['::ffff:192.0.2.0/120', ['192.0.2.7'], ['192.0.3.1']],
    ['uniquelocal', ['10.0.0.1', '172.31.0.1', '192.168.0.1', 'fd12::1'], ['172.32.0.1', 'fe80::1']],
    ['2001:db8::/32', ['2001:db8:1::1'], ['2001:db9::1', '192.0.2.7']],
    ['', [], ['127.0.0.1', '', 'unknown']],
  ])('of %s trusts those and no others', (value, trusted, others) => {
    const isTrusted = createProxyTrust(toTrustedProxies(value));
    expect(trusted.filter((address) => !isTrusted(address, 0))).toEqual([]);
    expect(others.filter((address) => isTrusted(address, 0))).toEqual([]);
  });

  it('of a number trusts so many in a row, whoever they are', () => {
    const isTrusted = createProxyTrust(2);
    expect([0, 1, 2, 3].map((hop) => isTrusted('192.0.2.1', hop))).toEqual([true, true, false, false]);
  });
});
