import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** An image in the store, once per content however often it is uploaded. */
export const Image = defineEntity({
  name: 'Image',
  tableName: 'images',
  properties: {
    /** Random; part of the file name (see `shared/media.ts`). */
    id: p.string().length(32).primary(),
    /** Name of the fallback rendition: everything else about the image can be read from it. */
    name: p.string().length(100).unique(),
    /** SHA-256 of the bytes that were handed in, hexadecimal. */
    sourceHash: p.string().length(64).unique(),
    /** Bytes of all renditions together. */
    byteSize: p.integer(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** A row of {@link Image}. */
export type ImageRow = InferEntity<typeof Image>;
