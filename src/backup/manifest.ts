import { createHash } from 'node:crypto';
import { z } from 'zod';
import { schemaRelease } from '../database/schema-release.js';
import type { ArchiveReader } from './archive-reader.js';
import { BackupError } from './backup.error.js';

/** The product's name in archives. */
export const PRODUCT = 'it-support-website';
/** Changes when an archive can no longer be read as before. */
export const FORMAT = 1;
/** The last two files of an archive: the list of the others, and its checksum. */
export const MANIFEST_NAME = 'manifest.json';
export const CHECKSUM_NAME = 'manifest.json.sha256';
/** Images lie in the archive under this folder, by their keys. */
export const MEDIA_FOLDER = 'media/';

const MANIFEST_LIMIT = 512 * 1024 * 1024;

const content = { size: z.int().nonnegative(), sha256: z.string().regex(/^[0-9a-f]{64}$/) };

const tableSchema = z.object({
  schema: z.string().min(1),
  name: z.string().min(1),
  /** Name in the archive: the rows as PostgreSQL's COPY writes text, compressed with gzip. */
  file: z.string().regex(/^tables\/[A-Za-z0-9_.-]+\.copy\.gz$/),
  /** Names of the columns, in the order of a row's values. */
  columns: z.array(z.string().min(1)),
  rows: z.int().nonnegative(),
  ...content,
});

const sequenceSchema = z.object({
  schema: z.string().min(1),
  name: z.string().min(1),
  /** The value that comes next. */
  next: z.string().regex(/^-?\d{1,19}$/),
});

const manifestSchema = z.object({
  product: z.literal(PRODUCT),
  format: z.literal(FORMAT),
  /** Version of the product. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  site: z.object({ name: z.string(), url: z.string() }),
  /** The migrations that had run, in their order. */
  migrations: z.array(z.string().regex(/^\w+$/)),
  /** The release to which that schema belongs, which is a later one than `version` after a rollback. */
  schemaRelease: schemaRelease.optional(),
  /** Parents before the tables that refer to them. */
  tables: z.array(tableSchema),
  sequences: z.array(sequenceSchema),
  media: z.array(z.object({ name: z.string(), ...content })),
  /** Files of images that the storage had lost, or did not hand out; with any of them a backup is incomplete. */
  missingMedia: z.array(z.string()),
  /** Files of images that were removed while the backup was made. */
  removedMedia: z.array(z.string()).optional(),
});

/** The description of an archive, stored in it. */
export type Manifest = z.infer<typeof manifestSchema>;
/** A table in an archive. */
export type ManifestTable = Manifest['tables'][number];

/** The last two files of an archive. */
export function encodeManifest(manifest: Manifest): { readonly text: Buffer; readonly checksum: Buffer } {
  const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
  return { text, checksum: Buffer.from(checksumLine(text)) };
}

/** @throws BackupError for archives of something else, of another format, or damaged ones */
export async function readManifest(file: string, archive: ArchiveReader): Promise<Manifest> {
  const text = await archive.readSmall(MANIFEST_NAME, MANIFEST_LIMIT);
  const checksum = await archive.readSmall(CHECKSUM_NAME, 1024);
  if (text === null) throw new BackupError(`${file} is no backup: it has no ${MANIFEST_NAME}.`);
  const parsed = parseJson(file, text);
  const isObject = typeof parsed === 'object' && parsed !== null;
  const { product, format, version } = (isObject ? parsed : {}) as Record<string, unknown>;
  if (product !== PRODUCT) throw new BackupError(`${file} is no backup of this product.`);
  if (format !== FORMAT) {
    const by = typeof version === 'string' ? ` by version ${version}` : '';
    throw new BackupError(
      `${file} was made in format ${String(format)}${by}; this version reads format ${FORMAT} only.`,
    );
  }
  if (checksum?.toString() !== checksumLine(text)) {
    throw new BackupError(`${file} is damaged: ${MANIFEST_NAME} is not what was put in.`);
  }
  const result = manifestSchema.safeParse(parsed);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new BackupError(`${file} is no backup: ${MANIFEST_NAME}: ${issue?.path.join('.')}: ${issue?.message}.`);
}

/** Returns all files of the archive but the last two, with their sizes and checksums. */
export function listContents(manifest: Manifest): { name: string; size: number; sha256: string }[] {
  const media = manifest.media.map((entry) => ({ ...entry, name: MEDIA_FOLDER + entry.name }));
  return [...manifest.tables.map(({ file, size, sha256 }) => ({ name: file, size, sha256 })), ...media];
}

/** Returns the checksum as the program sha256sum writes and checks it. */
function checksumLine(text: Buffer): string {
  return `${createHash('sha256').update(text).digest('hex')}  ${MANIFEST_NAME}\n`;
}

function parseJson(file: string, text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'));
  } catch {
    throw new BackupError(`${file} is damaged: ${MANIFEST_NAME} cannot be read.`);
  }
}

/** Returns true when no image file is missing from a backup. */
export function isComplete({ missingMedia }: Manifest): boolean {
  return missingMedia.length === 0;
}
