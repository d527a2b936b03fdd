/** The author of a change. Services check it, so that pages, API and command line follow the same rules. */
export type Actor =
  /** Someone with a shell on the machine: may do everything. */
  | { readonly kind: 'operator' }
  /** The product itself, when work that was planned is due. */
  | { readonly kind: 'system' }
  /** Someone with an account: may do what their roles allow at this moment. */
  | { readonly kind: 'user'; readonly userId: string };

/** The actor of the command line. */
export const OPERATOR: Actor = { kind: 'operator' };

/** The actor of work that was planned, such as publishing at a time. */
export const SYSTEM: Actor = { kind: 'system' };

/** Returns the account of an actor; null without one. */
export function userIdOf(actor: Actor): string | null {
  return actor.kind === 'user' ? actor.userId : null;
}
