interface Waiting {
  readonly answer: Promise<boolean>;
  readonly resolve: (hasSignedIn: boolean) => void;
}

/**
 * Asks the user to sign in again without leaving the page. There is one question however many calls need it, and all of
 * them wait for the answer.
 */
export class SessionPrompt {
  private waiting: Waiting | null = null;
  private isOver = false;
  private readonly listeners = new Set<() => void>();

  /** Resolves to whether somebody has signed in, when they have or have declined. */
  ask(): Promise<boolean> {
    if (this.waiting) return this.waiting.answer;
    let resolve: Waiting['resolve'] = () => undefined;
    const answer = new Promise<boolean>((settle) => (resolve = settle));
    this.show({ answer, resolve });
    return answer;
  }

  /** Lets the waiting calls go on, or fail. */
  settle(hasSignedIn: boolean): void {
    const { waiting } = this;
    this.show(null);
    waiting?.resolve(hasSignedIn);
  }

  /**
   * Notes whether the server refuses the session. The client of the accounts keeps one that was ended elsewhere until its
   * token runs out, as if nothing were.
   */
  noteEnd(isOver: boolean): void {
    if (this.isOver === isOver) return;
    this.isOver = isOver;
    this.tell();
  }

  readonly hasEnded = (): boolean => this.isOver;

  readonly isAsking = (): boolean => this.waiting !== null;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private show(waiting: Waiting | null): void {
    this.waiting = waiting;
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
