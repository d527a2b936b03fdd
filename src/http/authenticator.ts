import type { SignedInUser } from './signed-in-user.js';

/** Finds the user of an access token. src/auth provides it, because src/http knows no feature. */
export interface Authenticator {
  /** Returns the user of an access token with a living session, or null. */
  authenticate(accessToken: string): Promise<SignedInUser | null>;
}

/** Dependency-injection token of the {@link Authenticator}. */
export const AUTHENTICATOR = Symbol('Authenticator');

/** Tells who is an administrator. src/roles provides it. */
export interface AdminReader {
  /** Returns true when the user is an administrator now: never answered from memory or from a token. */
  isAdmin(userId: string): Promise<boolean>;
}

/** Dependency-injection token of the {@link AdminReader}. */
export const ADMIN_READER = Symbol('AdminReader');
