import { Injectable } from '@nestjs/common';

/** The state of a process that was told to end: it serves for a while longer, so that balancers can take it out. */
@Injectable()
export class Draining {
  private readonly controller = new AbortController();

  get hasBegun(): boolean {
    return this.signal.aborted;
  }

  /** Aborted when it begins: answers that would never end by themselves, such as event streams, end then. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  begin(): void {
    this.controller.abort();
  }
}
