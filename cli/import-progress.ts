import { SingleBar } from 'cli-progress';

/** Seconds between two lines of progress where there is no terminal. */
const LINE_SECONDS = 5;

/** Tells whoever waits how far an import is. */
export interface ProgressDisplay {
  /** Parts of the source that were read. */
  read(done: number, total: number): void;
  /** Called for each item that is done with, before anything is written about it. */
  count(): void;
  stop(): void;
}

/** Says nothing. */
export const noProgress: ProgressDisplay = { read: () => undefined, count: () => undefined, stop: () => undefined };

/** A bar with rate and time left on a terminal; a line every few seconds elsewhere. */
export function showProgress(stream: NodeJS.WriteStream): ProgressDisplay {
  return stream.isTTY ? showBar(stream) : showLines(stream);
}

function showBar(stream: NodeJS.WriteStream): ProgressDisplay {
  const start = performance.now();
  let items = 0;
  const bar = new SingleBar({
    format: '{bar} {percentage}% | {items} items, {rate} a second | {eta_formatted} left',
    stream,
    hideCursor: true,
    clearOnComplete: true,
    etaBuffer: 50,
  });
  return {
    read(done, total) {
      if (!bar.isActive) bar.start(total, 0, { items, rate: 0 });
      bar.update(done, { items, rate: rateSince(start, items) });
    },
    count() {
      items += 1;
      // The report's lines would be written into the bar, which comes back below them.
      if (bar.isActive) stream.write('\r\u001b[K');
    },
    stop: () => bar.stop(),
  };
}

function showLines(stream: NodeJS.WriteStream): ProgressDisplay {
  const start = performance.now();
  let items = 0;
  let said = start;
  let share = 0;
  return {
    read: (done, total) => void (share = total === 0 ? 1 : done / total),
    count() {
      items += 1;
      const now = performance.now();
      if (now - said < LINE_SECONDS * 1000) return;
      said = now;
      const left = share > 0 ? `, about ${formatSeconds(((now - start) / 1000) * (1 / share - 1))} left` : '';
      stream.write(`${Math.floor(share * 100)}% read, ${items} items, ${rateSince(start, items)} a second${left}\n`);
    },
    stop: () => undefined,
  };
}

function rateSince(start: number, items: number): number {
  return Math.round(items / Math.max(1, (performance.now() - start) / 1000));
}

function formatSeconds(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
