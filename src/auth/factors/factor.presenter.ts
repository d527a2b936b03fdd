import type { FactorRow, FactorStatus, FactorType } from './factor.entity.js';

/** A second factor as clients read it. */
export interface FactorJson {
  readonly id: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly status: FactorStatus;
  /** Left out where it has none. */
  readonly friendly_name?: string;
  readonly factor_type: FactorType;
  /** Empty but for a factor of type `phone`. */
  readonly phone: string;
  readonly last_challenged_at: Date | null;
}

/** Presents a second factor to clients (auth-api.md 1.7): never its secret. */
export function toFactorJson(factor: FactorRow): FactorJson {
  return {
    id: factor.id,
    created_at: factor.createdAt,
    updated_at: factor.updatedAt,
    status: factor.status,
    ...(factor.friendlyName === '' ? {} : { friendly_name: factor.friendlyName }),
    factor_type: factor.factorType,
    phone: factor.phone ?? '',
    last_challenged_at: factor.lastChallengedAt ?? null,
  };
}
