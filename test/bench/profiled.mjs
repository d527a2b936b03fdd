// Loaded into a server before its own modules (node --import): tells the parent process, over the channel between them,
// how much processor time it has taken, and records where the time of its main thread goes.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

/** Short beside the hundreds of microseconds that a page takes. */
const SAMPLE_MICROSECONDS = 100;
const session = new Session();
session.connect();

const answers = {
  time: () => process.cpuUsage(),
  begin: async () => {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS });
    await session.post('Profiler.start');
  },
  end: async (file) => writeFileSync(file, JSON.stringify((await session.post('Profiler.stop')).profile)),
};

process.on('message', async ({ question, file }) =>
  process.send({ answer: (await answers[question]?.(file)) ?? null }),
);
// The channel must not keep a server alive that is told to end.
process.channel.unref();
