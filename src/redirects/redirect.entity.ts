import { defineEntity, p } from '@mikro-orm/core';
import type { RedirectOrigin } from '../shared/contracts/redirects.js';

/** An old address that leads to another one. Pages come first: it is asked for only where there is none. */
export const Redirect = defineEntity({
  name: 'Redirect',
  tableName: 'redirects',
  properties: {
    /** In the spelling of `toPath`. */
    path: p.text().primary(),
    /** In the spelling of `toTarget`. */
    target: p.text(),
    origin: p.string().length(10).$type<RedirectOrigin>(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
