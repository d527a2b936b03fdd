/** Lets a number of tasks run at a time; the others wait for their turn. */
export class Gate {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((admit) => this.waiting.push(admit));
    try {
      return await task();
    } finally {
      // The place goes straight to the next in line, so that nobody slips in between.
      const admitNext = this.waiting.shift();
      if (admitNext) admitNext();
      else this.free += 1;
    }
  }
}
