import { defineEntity, p } from '@mikro-orm/core';

/** A moment that the site remembers by name, such as that of its last backup. Holds nothing of a person. */
export const SiteMark = defineEntity({
  name: 'SiteMark',
  tableName: 'site_marks',
  properties: {
    name: p.string().length(100).primary(),
    at: p.datetime(),
  },
});
