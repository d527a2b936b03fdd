/** Who writes. Services check it, so that pages, API and command line are held to the same rules. */
export interface Actor {
  /** Someone with a shell on the machine: may do everything. */
  readonly kind: 'operator';
}

/** The actor of the command line. */
export const OPERATOR: Actor = { kind: 'operator' };
