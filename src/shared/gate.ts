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

  /**
   * Runs a task when its turn comes.
   * @param signal takes a task that still waits out of the line, and its reason is thrown
   * @throws GateFullError when too many wait; the task has not begun
   */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await this.wait(signal);
    try {
      return await task();
    } finally {
      // The place goes straight to the next in line, so that nobody slips in between.
      const admitNext = this.waiting.shift();
      if (admitNext) admitNext();
      else this.free += 1;
    }
  }

  private async wait(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.waiting.length >= this.maxWaiting) throw new GateFullError('Too many tasks wait already');
    let leave = () => {};
    const admitted = new Promise<void>((admit, refuse) => {
      this.waiting.push(admit);
      // Whoever was let in just now goes on: the task looks at the signal.
      leave = () => {
        const place = this.waiting.indexOf(admit);
        if (place < 0) return;
        this.waiting.splice(place, 1);
        refuse(signal?.reason as Error);
      };
    });
    signal?.addEventListener('abort', leave);
    await admitted.finally(() => signal?.removeEventListener('abort', leave));
  }
}
