import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../auth/accounts/user.entity.js';

/** A role of a user (product.md 3.3). It goes with its user. */
export const UserRole = defineEntity({
  name: 'UserRole',
  tableName: 'user_roles',
  properties: {
    user: () => p.manyToOne(User).primary().deleteRule('cascade'),
    /** One of `ROLES`; a user may have both, and the one that may do more counts. */
    role: p.string().length(50).primary(),
    /** `provider` when it was given by a claim, which can take it again; null when somebody here gave it. */
    source: p.string().length(16).$type<'provider'>().nullable(),
    /** True for an author who may publish; says nothing of an administrator, who may. */
    mayPublish: p.boolean().default(false),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
