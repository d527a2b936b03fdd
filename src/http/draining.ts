import { Injectable } from '@nestjs/common';

/** Whether this process was told to end: then it goes on serving for a while, and takes itself out of balancers. */
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
