/** The author of a change. Services check it, so that pages, API and command line follow the same rules. */
export type Actor =
  /** Someone with a shell on the machine: may do everything. */
  | { readonly kind: 'operator' }
  /** The product itself, when work that was planned is due. */
  | { readonly kind: 'system' }
  /**
   * A program with a token of AUTH_ADMIN_ROLES: may do everything to accounts. A person whose account has such a role
   * is one too, with their id.
   */
  | { readonly kind: 'program'; readonly userId: string | null }
  /** Someone with an account: may do what their roles allow at this moment. */
  | { readonly kind: 'user'; readonly userId: string };

/** The actor of the command line. */
export const OPERATOR: Actor = { kind: 'operator' };

/** The actor of work that was planned, such as publishing at a time. */
export const SYSTEM: Actor = { kind: 'system' };

/** Returns the account of an actor; null without one. */
export function userIdOf(actor: Actor): string | null {
  return 'userId' in actor ? actor.userId : null;
}
