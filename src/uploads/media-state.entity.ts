import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** What the last check of the stored images has found: one row, so that nobody has to walk a bucket to ask. */
export const MediaState = defineEntity({
  name: 'MediaState',
  tableName: 'media_state',
  properties: {
    /** Always 1. */
    id: p.integer().primary(),
    checkedAt: p.datetime(),
    /** Images that were looked at. */
    images: p.integer(),
    /** Of these, images of which a file is missing or damaged. */
    lacking: p.integer(),
  },
});

/** A row of {@link MediaState}. */
export type MediaStateRow = InferEntity<typeof MediaState>;
