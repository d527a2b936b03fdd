import { defineEntity, p } from '@mikro-orm/core';

/**
 * Failed attempts to prove something (see `attempts.service.ts`), shared by all processes. The migration makes the table
 * unlogged.
 */
export const Attempts = defineEntity({
  name: 'Attempts',
  schema: 'auth',
  tableName: 'attempts',
  indexes: [{ properties: ['touchedAt'] }],
  properties: {
    /** Owner of the secret: the id of an account, or the keyed hash of an address. */
    subject: p.string().length(64).primary(),
    /** Which secret, such as password. */
    purpose: p.string().length(32).primary(),
    /** Counts one guesser apart, such as a device that has signed in before; empty for everybody else. */
    source: p.string().length(100).primary(),
    /** When the failures were, the oldest first; not more of them than the limit allows. */
    failures: p.array().columnType('timestamptz[]').default([]),
    /** Attempts that are being judged. */
    pending: p.smallint().default(0),
    touchedAt: p.datetime(),
  },
});
