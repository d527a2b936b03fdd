import { describe, expect, it } from '@jest/globals';
import { findPublicAddresses, isPublicAddress } from './public-address.js';

describe('isPublicAddress', () => {
  it.each(['1.1.1.1', '93.184.215.14', '172.15.255.255', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450::1'])(
    'takes %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    ['this machine', ['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '::1', '::', '::127.0.0.1']],
    ['private networks', ['10.0.0.5', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12::1', 'fec0::1']],
    ['link-local networks and metadata services', ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'fd00:ec2::254']],
    ['networks of carriers', ['100.64.0.1', '100.127.255.255']],
    ['multicast and broadcast', ['224.0.0.1', '239.1.1.1', '255.255.255.255', 'ff02::1']],
    ['reserved addresses', ['192.0.0.1', '192.0.0.170', '198.18.0.1', '240.0.0.1', '192.88.99.1', '100::1', '4000::1']],
    ['documentation', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1']],
    ['wrapped IPv4 addresses', ['::ffff:10.0.0.1', '::ffff:7f00:1', '::ffff:0:127.0.0.1', '::ffff:1.1.1.1']],
    ['translated IPv4 addresses', ['64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::', '2001:0:7f00:1::']],
    [
      'what is no address',
      ['', 'localhost', '127.1', '0x7f.0.0.1', '2130706433', '017700000001', '1.1.1.1:80', '[::1]'],
    ],
  ])('refuses %s', (_name, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });
});

describe('findPublicAddresses', () => {
  const names: Readonly<Record<string, readonly string[]>> = {
    'site.example': ['1.1.1.1', '2606:4700::1'],
    'mixed.example': ['1.1.1.1', '10.0.0.5'],
    'inside.example': ['::ffff:169.254.169.254'],
    'empty.example': [],
  };
  const resolve = async (host: string) => {
    const addresses = names[host];
    if (addresses === undefined) throw new Error('ENOTFOUND');
    return addresses;
  };
  const find = (url: string, trusted: string[] = []) =>
    findPublicAddresses(new URL(url).hostname, new Set(trusted), resolve);

  it('hands out what a public name stands for', async () => {
    expect(await find('https://SITE.example/a.png')).toEqual([
      { address: '1.1.1.1', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ]);
  });

  it.each([
    ['http://mixed.example/', '10.0.0.5'],
    ['http://inside.example/', '::ffff:169.254.169.254'],
    ['http://127.0.0.1:8080/', '127.0.0.1'],
    ['http://127.1/', '127.0.0.1'],
    ['http://2130706433/', '127.0.0.1'],
    ['http://0x7f000001/', '127.0.0.1'],
    ['http://0177.0.0.1/', '127.0.0.1'],
    ['http://１２７.0.0.1/', '127.0.0.1'],
    ['http://0/', '0.0.0.0'],
    ['http://[::1]/', '::1'],
    ['http://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
    ['http://[0:0:0:0:0:0:0:1]/', '::1'],
  ])('refuses %s', async (url, address) => {
    await expect(find(url)).rejects.toThrow(`is at a private address (${address}), which is refused`);
  });

  it.each(['http://nowhere.example/', 'http://empty.example/'])('says that %s was not found', async (url) => {
    await expect(find(url)).rejects.toThrow(/^is on a site that was not found \(\w+\.example\)$/);
  });

  it('trusts a private host that is named, and no other', async () => {
    expect(await find('http://mixed.example/', ['mixed.example'])).toHaveLength(2);
    expect(await find('http://[::1]/', ['[::1]'])).toEqual([{ address: '::1', family: 6 }]);
    await expect(find('http://10.0.0.5/', ['mixed.example'])).rejects.toThrow('private');
  });
});
