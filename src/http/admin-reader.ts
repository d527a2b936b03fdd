/** Tells who is an administrator. src/roles provides it, because src/http knows no feature. */
export interface AdminReader {
  /** Returns true when the user is an administrator now: never answered from memory or from a token. */
  isAdmin(userId: string): Promise<boolean>;
}

/** Dependency-injection token of the {@link AdminReader}. */
export const ADMIN_READER = Symbol('AdminReader');
