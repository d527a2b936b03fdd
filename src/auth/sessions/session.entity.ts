import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from '../accounts/user.entity.js';

/** How well a session is secured: aal2 when a second factor was shown. */
export type AssuranceLevel = 'aal1' | 'aal2';

/** How, and when (seconds since 1970), somebody signed in; one entry per method. */
export interface AmrEntry {
  readonly method: string;
  readonly timestamp: number;
}

/** One sign-in on one device, until it is ended. */
export const Session = defineEntity({
  name: 'Session',
  schema: 'auth',
  tableName: 'sessions',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    userId: () => p.manyToOne(User).mapToPk().fieldName('user_id').deleteRule('cascade').index(),
    aal: p.string().length(4).$type<AssuranceLevel>().default('aal1'),
    /** The second factor that raised it to aal2. */
    factorId: p.uuid().nullable(),
    /** Newest first. */
    amr: p.json<AmrEntry[]>().default('[]'),
    /** The session ends then in any case. */
    notAfter: p.datetime().nullable(),
    refreshedAt: p.datetime().nullable(),
    userAgent: p.text().nullable(),
    ip: p.string().length(64).nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** A row of {@link Session}. */
export type SessionRow = InferEntity<typeof Session>;
