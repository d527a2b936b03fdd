import { SingleBar } from 'cli-progress';
import { beforeSignalEnds } from './before-signal.js';

/** Shows the progress of an import or an export. */
export interface ProgressDisplay {
  /** How much of the whole is done with; called for each item. */
  readonly update: (done: number, total: number) => void;
  /** Called before anything is written about an item. */
  readonly makeRoom: () => void;
  readonly stop: () => void;
}

/** Says nothing. */
export const noProgress: ProgressDisplay = {
  update: () => undefined,
  makeRoom: () => undefined,
  stop: () => undefined,
};

/**
 * Shows a bar with rate and time left on a terminal, and nothing elsewhere: cron mails whatever reaches the standard
 * error, which is for errors alone there.
 * @param things the counted things, in the plural
 */
export function showProgress(stream: NodeJS.WriteStream, things: string): ProgressDisplay {
  if (!stream.isTTY) return noProgress;
  const counter = new Counter();
  const bar = new SingleBar({
    format: `{bar} {percentage}% | {count} ${things}, {rate} a second | {left} left`,
    stream,
    hideCursor: true,
    clearOnComplete: true,
  });
  // A bar hides the cursor, and the shell would be left without one.
  let release = () => undefined as void;
  return {
    update(done, total) {
      const state = counter.add(done, total);
      if (!bar.isActive) {
        release();
        release = beforeSignalEnds(() => bar.stop());
        bar.start(total, 0, state);
      }
      bar.update(counter.done, state);
    },
    makeRoom() {
      // The report's lines would be written into the bar, which comes back below them.
      if (bar.isActive) stream.write('\r\u001b[K');
    },
    stop() {
      release();
      bar.stop();
    },
  };
}

/** Counts items, and tells from their pace how long the rest will take. */
class Counter {
  /** Items are not done with in the order of the source. */
  done = 0;
  private count = 0;
  private readonly start = performance.now();

  add(done: number, total: number): { readonly count: number; readonly rate: number; readonly left: string } {
    this.count += 1;
    this.done = Math.max(this.done, done);
    const seconds = (performance.now() - this.start) / 1000;
    const left = this.done === 0 ? 0 : seconds * (total / this.done - 1);
    return { count: this.count, rate: Math.round(this.count / Math.max(1, seconds)), left: formatSeconds(left) };
  }
}

function formatSeconds(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
