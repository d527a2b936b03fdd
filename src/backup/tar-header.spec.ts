import { describe, expect, it } from '@jest/globals';
import { extract } from 'tar-stream';
import { decodeTarHeader, encodeTarHeader, TAR_BLOCK, tarPadding } from './tar-header.js';

describe('tar headers', () => {
  it.each([0, 1, 512, 8 ** 11 - 1, 8 ** 11, 2 ** 45])('say a size of %d bytes', (size) => {
    const header = encodeTarHeader({ name: 'media/a.png', size }, new Date());
    expect(header).toHaveLength(TAR_BLOCK);
    expect(decodeTarHeader(header)).toEqual({ name: 'media/a.png', size });
  });

  it('are read by others as well', async () => {
    const archive = extract();
    archive.write(encodeTarHeader({ name: 'tables/1.gz', size: 8 ** 11 }, new Date(1_700_000_000_000)));
    const [header] = await new Promise<[object]>((resolve) => {
      archive.on('entry', (...entry: unknown[]) => resolve(entry as [object]));
    });
    expect(header).toMatchObject({
      name: 'tables/1.gz',
      size: 8 ** 11,
      mode: 0o600,
      type: 'file',
      mtime: new Date(1_700_000_000_000),
    });
  });

  it('are followed by whole blocks, and ended by zeros', () => {
    expect([0, 1, 511, 512, 513].map(tarPadding)).toEqual([0, 511, 1, 0, 511]);
    expect(decodeTarHeader(Buffer.alloc(TAR_BLOCK))).toBeNull();
  });

  it('are refused with a flipped bit, and for names too long', () => {
    const header = encodeTarHeader({ name: 'a', size: 1 }, new Date());
    header[3] = 1;
    expect(() => decodeTarHeader(header)).toThrow('not a tar header');
    expect(() => encodeTarHeader({ name: 'é'.repeat(51), size: 1 }, new Date())).toThrow(RangeError);
  });
});
