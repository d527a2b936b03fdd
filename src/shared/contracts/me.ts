/** What `GET /api/me` answers about the account that asks. */
export interface Me {
  readonly id: string;
  /** Null for accounts without one. */
  readonly email: string | null;
  readonly is_admin: boolean;
}
