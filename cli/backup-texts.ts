import { BackupError, rowsOf, type ListedBackup, type Manifest, type RowCounts } from '../src/backup/backup.service.js';
import { formatColumns } from './columns.js';

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes for people, such as 3.4 MB. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${UNITS[power]}`;
}

/** What is in a backup, in a few words. */
export function summarise(manifest: Manifest): string {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    count(rowsOf(manifest, 'public.blog_posts'), 'post'),
    count(rowsOf(manifest, 'auth.users'), 'account'),
    `${count(rows, 'row')} in ${count(manifest.tables.length, 'table')}`,
    count(manifest.media.length, 'image file'),
  ].join(', ');
}

/** What an operator should know of a backup although it is whole. */
export function notesOn({ missingMedia }: Manifest): string {
  if (missingMedia.length === 0) return '';
  return `Note: ${count(missingMedia.length, 'image file')} had gone when it was made: ${missingMedia.join(', ')}\n`;
}

/** What an installation has, most rows first. */
export function formatCounts(counts: RowCounts): string {
  const entries = Object.entries(counts).sort(([, one], [, other]) => other - one);
  if (entries.every(([, rows]) => rows === 0)) return 'no rows';
  return entries
    .filter(([, rows]) => rows > 0)
    .map(([table, rows]) => `${rows} ${table}`)
    .join(', ');
}

/** Lines for `backup list`. */
export function formatList(backups: readonly ListedBackup[]): string {
  return formatColumns(
    backups.map(({ file, size, content }) =>
      content instanceof BackupError
        ? ['unreadable', formatBytes(size), file, content.message]
        : [content.createdAt, formatBytes(size), file, summarise(content)],
    ),
  );
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
