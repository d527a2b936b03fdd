/** Reasons for which the setup goes no further in this browser. */
export type SetupRefusal =
  | 'wrong_token'
  | 'expired_token'
  | 'too_many_tries'
  /** No browser is at it, or this one was for too long. */
  | 'no_session'
  /** Another browser came with a token. */
  | 'taken_over'
  /** The site is set up, by whomever. */
  | 'over';

/** Thrown where a browser may not go on with the setup. */
export class SetupRefusedError extends Error {
  override readonly name = 'SetupRefusedError';
  /** How long to wait before the next try; 0 where waiting does not help. */
  readonly seconds: number;

  constructor(
    readonly reason: SetupRefusal,
    { seconds = 0 }: { readonly seconds?: number } = {},
  ) {
    super(`The setup is refused: ${reason}`);
    this.seconds = seconds;
  }
}

/** Thrown for a step whose fields cannot be taken: a sentence for each. */
export class SetupInputError extends Error {
  override readonly name = 'SetupInputError';

  constructor(readonly problems: Readonly<Record<string, string>>) {
    super('The step of the setup cannot be taken');
  }
}
