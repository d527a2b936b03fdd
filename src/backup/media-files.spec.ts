import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { createStorage, StorageError, type Storage } from '../uploads/uploads.module.js';
import { ArchiveWriter } from './archive-writer.js';
import { copyMediaOut } from './media-files.js';

/** Captions, which are one file each. */
const nameOf = (number: number) => `${number.toString(16).padStart(32, '0')}.vtt`;
const pictureOf = (number: number) => `${number.toString(16).padStart(32, '0')}-40x40.png`;

/** Copies so many stored files, of which some cannot be read, and returns what is in the archive and what it lacks. */
async function copyOut(names: readonly string[], isUnreadable: (name: string) => boolean) {
  const stored = await createStorage({ driver: 'folder', folder: join(temporaryFolder(), 'media') });
  for (const name of names) await stored.put(name, Buffer.from(name), 'text/vtt');
  const storage = Object.assign(Object.create(stored) as Storage, {
    open: async (name: string) => {
      if (isUnreadable(name)) throw new StorageError(`${name} cannot be read: EIO`);
      return await stored.open(name);
    },
  });
  const archive = await ArchiveWriter.create({ file: join(temporaryFolder(), 'a.tar'), isNumbered: false }, new Date());
  try {
    const { media, missing } = await copyMediaOut(storage, names, archive);
    return { media: media.map(({ name }) => name), missing };
  } finally {
    await archive.discard();
  }
}

it('takes all others along when some files cannot be read, and names those', async () => {
  const names = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? nameOf(index) : pictureOf(index)));
  const isBad = (name: string) => [nameOf(4), pictureOf(5), nameOf(38)].includes(name);
  const { media, missing } = await copyOut(names, isBad);
  expect(media).toEqual(names.filter((name) => !isBad(name)));
  expect(missing).toEqual(expect.arrayContaining([nameOf(4), pictureOf(5), nameOf(38)]));
  expect(missing.filter((name) => media.includes(name))).toEqual([]);
});

it('makes no backup without any image while the storage is away', async () => {
  const names = Array.from({ length: 40 }, (_, index) => nameOf(index));
  await expect(copyOut(names, () => true)).rejects.toThrow(`cannot be read: EIO`);
});
