import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { ArchiveWriter } from './archive-writer.js';

const folder = temporaryFolder();

/** Begins so many archives for one file before the first of them ends. */
async function writeAtOnce(name: string, isNumbered: boolean): Promise<PromiseSettledResult<string>[]> {
  const place = { file: join(folder, name), isNumbered };
  const writers = [await ArchiveWriter.create(place, new Date()), await ArchiveWriter.create(place, new Date())];
  return await Promise.allSettled(
    writers.map(async (writer) => {
      try {
        await writer.add('content', [Buffer.from('content')]);
        return basename((await writer.finish()).file);
      } finally {
        await writer.discard();
      }
    }),
  );
}

describe('archives that are written at once', () => {
  it('get a number when nobody chose their name', async () => {
    const ended = await writeAtOnce('backup-20261127T032605Z.tar', true);
    const names = ['backup-20261127T032605Z-2.tar', 'backup-20261127T032605Z.tar'];
    expect(ended.map((each) => each.status === 'fulfilled' && each.value).sort()).toEqual(names);
    expect(readdirSync(folder).sort()).toEqual(names);
  });

  it('never take the place of each other', async () => {
    const ended = await writeAtOnce('site.tar', false);
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(ended.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { name: 'BackupError', message: `${join(folder, 'site.tar')} is there already: choose another name.` },
    });
    expect(readdirSync(folder).filter((name) => name.includes('site.tar'))).toEqual(['site.tar']);
  });
});
