import { defineEntity, p } from '@mikro-orm/core';

/** Token buckets (see `rate-limits.service.ts`), shared by all processes. The migration makes the table unlogged. */
export const RateLimitBucket = defineEntity({
  name: 'RateLimitBucket',
  schema: 'auth',
  tableName: 'rate_limits',
  indexes: [{ properties: ['updatedAt'] }, { properties: ['fullAt'] }],
  properties: {
    /** Name of the limit and its subject, such as an address. */
    key: p.string().length(200).primary(),
    tokens: p.double(),
    updatedAt: p.datetime(),
    /** When nothing of it is missing any more, and the row says nothing. */
    fullAt: p.datetime().nullable(),
  },
});
