import { Documented } from './documented.js';
import type { Role } from './roles.js';

/** Answer of `GET /api/me` about the caller's account. */
export class Me {
  @Documented({ format: 'uuid' })
  readonly id: string;

  /** Null for accounts without one. */
  readonly email: string | null;

  /** True when the account is an administrator at this moment. */
  readonly is_admin: boolean;

  /** The role in the admin area at this moment; null for people who have none. */
  readonly role: Role | null;

  /** True when the account may publish posts: every administrator, and authors whom one of them allowed it. */
  readonly may_publish: boolean;

  /** True when the admin area is closed until the account has a second factor (AUTH_REQUIRE_ADMIN_MFA). */
  readonly needs_second_factor: boolean;
}
