import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { MediaKind } from '../shared/media.js';
import { SEARCH_TEXTS } from '../shared/search-texts.js';

/** Size and checksum of a stored file at the time of writing. */
export interface FileFacts {
  /** Bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/**
 * An image, or sound, a film or captions (decision 98), once per content however often it is uploaded. The row outlives the files of an image that was removed, so
 * that a text which comes late with its address is told.
 */
export const Image = defineEntity({
  name: 'Image',
  tableName: 'images',
  indexes: [
    { properties: ['createdAt', 'id'] },
    {
      name: 'images_search',
      expression: `create index "images_search" on "images" using gin (${SEARCH_TEXTS.images} gin_trgm_ops)`,
    },
  ],
  properties: {
    /** Random; part of the file name (see `shared/media.ts`). */
    id: p.string().length(32).primary(),
    /** Sound, films and captions have one file, stored as it came. */
    kind: p.string().length(10).$type<MediaKind>().default('image'),
    /** Name of the fallback rendition, or of the one file: everything else can be read from it. */
    name: p.string().length(100).unique(),
    /** SHA-256 of the bytes that were handed in, hexadecimal; null once the image was removed. */
    sourceHash: p.string().length(64).nullable().unique(),
    /** Bytes of all renditions together. */
    byteSize: p.integer(),
    /** Its files by name; null of images stored before version 0.2, until a check has found them whole. */
    files: p.json<Readonly<Record<string, FileFacts>>>().nullable(),
    /** Path or address from which an import took the image, for fetching it again when it is lost; null for uploads. */
    origin: p.text().nullable(),
    /** Name of the file that was uploaded first, for people; null of images stored before version 0.2. */
    fileName: p.string().length(255).nullable(),
    /** Alternative text that is offered wherever the image is added next; null until somebody wrote one. */
    alternativeText: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    /** Since when the sweep has found it unused; null when it was in use, or uploaded once more, since then. */
    unusedSince: p.datetime().nullable(),
    /** When it was given up; its files are gone, or go with the next sweep. */
    removedAt: p.datetime().nullable(),
  },
});

/** A row of {@link Image}. */
export type ImageRow = InferEntity<typeof Image>;
