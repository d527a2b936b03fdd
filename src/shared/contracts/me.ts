import { Documented } from './documented.js';

/** Answer of `GET /api/me` about the caller's account. */
export class Me {
  @Documented({ format: 'uuid' })
  readonly id: string;

  /** Null for accounts without one. */
  readonly email: string | null;

  /** True when the account is an administrator at this moment. */
  readonly is_admin: boolean;

  /** True when the admin area is closed until the account has a second factor (AUTH_REQUIRE_ADMIN_MFA). */
  readonly needs_second_factor: boolean;
}
