/** Thrown when too many tasks wait already. */
export class GateFullError extends Error {
  override readonly name = 'GateFullError';
}

/** Lets a number of tasks run at a time; the others wait for their turn, or are refused when too many wait already. */
export class Gate {
  private readonly waiting: (() => void)[] = [];

  constructor(
    private free: number,
    private readonly maxWaiting = Infinity,
  ) {}

  /** @throws GateFullError without having begun */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await this.wait();
    try {
      return await task();
    } finally {
      // The place goes straight to the next in line, so that nobody slips in between.
      const admitNext = this.waiting.shift();
      if (admitNext) admitNext();
      else this.free += 1;
    }
  }

  private async wait(): Promise<void> {
    if (this.waiting.length >= this.maxWaiting) throw new GateFullError('Too many tasks wait already');
    await new Promise<void>((admit) => this.waiting.push(admit));
  }
}
