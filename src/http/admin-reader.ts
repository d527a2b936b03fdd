import type { Role } from '../shared/contracts/roles.js';

/** Tells who may enter the admin area. src/roles provides it, because src/http knows no feature. */
export interface AdminReader {
  /**
   * Returns the role that the user has now, the one that may do more where there are two; null without any. It is never
   * answered from memory or from a token.
   */
  findRole(userId: string): Promise<Role | null>;
}

/** Dependency-injection token of the {@link AdminReader}. */
export const ADMIN_READER = Symbol('AdminReader');
