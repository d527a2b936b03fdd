// A process that decodes one image and ends. What libraries of images are good for attackers happens here: with no
// secrets, no connections but the one to the parent, and an end whenever the parent likes.
import type { ImageJob } from './image-jobs.js';
import { ImageRejectedError } from './image-rejected.error.js';
import type { ChildAnswer } from './image-workshop.js';

/** Resident memory of this process at most; it starts with about 55 MB. */
const MAX_BYTES = 224 * 1024 * 1024;
/** How often it is looked at: a picture takes many of these to fill so much. */
const CHECK_MS = 10;

/** Not `process.exit`, which waits for a picture that is being decoded. */
const end = () => process.kill(process.pid, 'SIGKILL');

/** Without the parent, nobody would end it. */
process.on('disconnect', end);
// Signals to a group of processes: the parent finishes what it has begun, and ends this one.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

/** Loaded only now: a signal that comes at the start must not end this process. */
const library = import('./image-jobs.js');
library.catch(() => undefined);

process.once('message', (job: ImageJob) => {
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() <= MAX_BYTES) return;
    clearInterval(watch);
    answer({ kind: 'overflow' });
  }, CHECK_MS);
  doJob(job).then(
    (result) => answer({ kind: 'done', result }),
    (error: unknown) => answer(toAnswer(error)),
  );
});

async function doJob(job: ImageJob) {
  const { carryOut } = await library;
  return await carryOut(job);
}

function answer(message: ChildAnswer): void {
  process.send?.(message, end);
}

function toAnswer(error: unknown): ChildAnswer {
  if (error instanceof ImageRejectedError) return { kind: 'rejected', code: error.code, message: error.message };
  return { kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
