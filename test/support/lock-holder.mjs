// Holds a lock file (argument 1) for as long as its standard input is open or for the milliseconds of argument 2, and
// says when it has it. A file beside the lock shows whether anybody else had it at the same time.
import { open, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { withLockFile } from '../../src/database/start-lock.ts';

const [, , file, heldMs] = process.argv;
await withLockFile(file, async () => {
  const marker = `${file}-taken`;
  await open(marker, 'wx').then((handle) => handle.close());
  process.stdout.write('held\n');
  await delay(Number(heldMs));
  await rm(marker);
});
