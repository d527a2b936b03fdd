import { SingleBar } from 'cli-progress';

/** Seconds between two lines of progress where there is no terminal. */
const LINE_SECONDS = 5;

/** Tells whoever waits how far something is that takes items from a source. */
export interface ProgressDisplay {
  /** How much of the source is done with, in whatever it is counted; not always in order. */
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
  const pace = new Pace();
  const bar = new SingleBar({
    format: '{bar} {percentage}% | {items} items, {rate} a second | {left} left',
    stream,
    hideCursor: true,
    clearOnComplete: true,
  });
  return {
    read(done, total) {
      pace.read(done, total);
      if (!bar.isActive) bar.start(total, 0, pace.state());
      bar.update(pace.done, pace.state());
    },
    count() {
      pace.items += 1;
      // The report's lines would be written into the bar, which comes back below them.
      if (bar.isActive) stream.write('\r\u001b[K');
    },
    stop: () => bar.stop(),
  };
}

function showLines(stream: NodeJS.WriteStream): ProgressDisplay {
  const pace = new Pace();
  let said = performance.now();
  const say = () => {
    if (performance.now() - said < LINE_SECONDS * 1000) return;
    said = performance.now();
    const { items, rate, left } = pace.state();
    const share = Math.floor((pace.done / Math.max(1, pace.total)) * 100);
    stream.write(`${share}% done, ${items} items, ${rate} a second, ${left} left\n`);
  };
  return {
    read(done, total) {
      pace.read(done, total);
      say();
    },
    count() {
      pace.items += 1;
      say();
    },
    stop: () => undefined,
  };
}

/** Tells from the pace so far how long the rest will take. */
class Pace {
  items = 0;
  done = 0;
  total = 0;
  private readonly start = performance.now();

  read(done: number, total: number): void {
    this.done = Math.max(this.done, done);
    this.total = total;
  }

  state(): { readonly items: number; readonly rate: number; readonly left: string } {
    const seconds = (performance.now() - this.start) / 1000;
    const left = this.done === 0 ? 0 : seconds * (this.total / this.done - 1);
    return { items: this.items, rate: Math.round(this.items / Math.max(1, seconds)), left: formatSeconds(left) };
  }
}

function formatSeconds(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
