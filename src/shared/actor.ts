/** Who writes. Services check it, so that pages, API and command line are held to the same rules. */
export type Actor =
  /** Someone with a shell on the machine: may do everything. */
  | { readonly kind: 'operator' }
  /** Someone with an account: may do what their roles allow at this moment. */
  | { readonly kind: 'user'; readonly userId: string };

/** The actor of the command line. */
export const OPERATOR: Actor = { kind: 'operator' };
