import type { SignedInUser } from './signed-in-user.js';

/** What the guard asks of the room that knows accounts; this room knows no feature, so that one provides it. */
export interface Authenticator {
  /** The user whose valid, living session the access token belongs to, or null. */
  authenticate(accessToken: string): Promise<SignedInUser | null>;
}

/** Dependency-injection token of the {@link Authenticator}. */
export const AUTHENTICATOR = Symbol('Authenticator');

/** What the guard asks of the room that knows roles. */
export interface AdminReader {
  /** Whether the user is an administrator at this moment: never answered from memory or from a token. */
  isAdmin(userId: string): Promise<boolean>;
}

/** Dependency-injection token of the {@link AdminReader}. */
export const ADMIN_READER = Symbol('AdminReader');
