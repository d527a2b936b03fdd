import { defineEntity, p } from '@mikro-orm/core';

/** The result of the last check of the stored images, in one row, so that no request has to walk a bucket. */
export const MediaState = defineEntity({
  name: 'MediaState',
  tableName: 'media_state',
  properties: {
    /** Always 1. */
    id: p.integer().primary(),
    checkedAt: p.datetime(),
    /** Images that were looked at. */
    images: p.integer(),
    /** Images of which a file is missing or damaged. */
    lacking: p.integer(),
  },
});
