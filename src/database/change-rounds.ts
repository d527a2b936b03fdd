import type { ContentListener } from './content-listener.js';

/** When a round begins, in milliseconds. */
interface RoundTimes {
  /** After a change: several changes at once are seen to together. */
  readonly patience: number;
  /** The longest delay of what was left over: by a failure, or by a process that ended. */
  readonly interval: number;
}

/** Calls one task after published content changed anywhere, and now and then without: one round after the other. */
export class ChangeRounds {
  private hasEnded = false;
  private timer: NodeJS.Timeout | undefined;
  private interval: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  /** @param round must not throw: the next one has the same to do */
  constructor(
    private readonly listener: ContentListener,
    private readonly times: RoundTimes,
    private readonly round: () => Promise<void>,
  ) {}

  /** True once no further round may begin; a long one asks between its steps. */
  get isEnding(): boolean {
    return this.hasEnded;
  }

  /** @param delayMs until the first round */
  start(delayMs = this.times.patience): void {
    this.listener.onChange(() => this.schedule(this.times.patience));
    this.interval = setInterval(() => this.schedule(this.times.patience), this.times.interval).unref();
    this.schedule(delayMs);
  }

  /** Begins no further round, and waits for the one that is under way. */
  async end(): Promise<void> {
    this.hasEnded = true;
    clearTimeout(this.timer);
    clearInterval(this.interval);
    await this.running;
  }

  private schedule(delayMs: number): void {
    if (this.hasEnded || this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.running = this.running.then(() => this.round());
    }, delayMs).unref();
  }
}
