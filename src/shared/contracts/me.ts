/** Answer of `GET /api/me` about the caller's account. */
export interface Me {
  readonly id: string;
  /** Null for accounts without one. */
  readonly email: string | null;
  readonly is_admin: boolean;
}
