import {
  BackupError,
  isComplete,
  KEPT_COMPLETE,
  rowsOf,
  type ListedBackup,
  type Manifest,
  type PruneOutcome,
  type RowCounts,
} from '../src/backup/backup.service.js';
import { formatColumns } from './columns.js';

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes for people, such as 3.4 MB. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${UNITS[power]}`;
}

/** Summarizes the content of a backup in a few words. */
export function summarize(manifest: Manifest): string {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    count(rowsOf(manifest, 'public.blog_posts'), 'post'),
    count(rowsOf(manifest, 'auth.users'), 'account'),
    `${count(rows, 'row')} in ${count(manifest.tables.length, 'table')}`,
    count(manifest.media.length, 'image file'),
  ].join(', ');
}

/** Lost files that are named; a storage may have lost all of them. */
const MAX_NAMED = 20;

/** Lists the missing image files of a backup, one per line; empty when it is complete. */
export function describeLack({ missingMedia }: Manifest): string {
  const files = count(missingMedia.length, 'image file');
  if (missingMedia.length === 0) return '';
  const named = missingMedia.slice(0, MAX_NAMED).map((name) => `  missing  ${name}\n`);
  const more = missingMedia.length > MAX_NAMED ? `  and ${missingMedia.length - MAX_NAMED} more\n` : '';
  return `This backup is INCOMPLETE: the storage had lost ${files} when it was made, or did not hand them out.\n${named.join('')}${more}`;
}

/** Formats the numbers of rows of an installation, largest first. */
export function formatCounts(counts: RowCounts): string {
  const entries = Object.entries(counts).sort(([, one], [, other]) => other - one);
  if (entries.every(([, rows]) => rows === 0)) return 'no rows';
  return entries
    .filter(([, rows]) => rows > 0)
    .map(([table, rows]) => `${rows} ${table}`)
    .join(', ');
}

/** Says which backups were removed, or would be, and which ones stay although they are old. */
export function formatPruning(
  { removed, spared, ahead }: Pick<PruneOutcome, 'removed' | 'spared' | 'ahead'>,
  days: number,
  isDryRun: boolean,
): string {
  const groups: readonly (readonly [string, readonly ListedBackup[]])[] = [
    [`${isDryRun ? 'Would remove' : 'Removed'} ${count(removed.length, 'backup')} older than ${days} days`, removed],
    [`Kept although older, among the last ${KEPT_COMPLETE} complete ones`, spared],
    ['Kept, as a clock was wrong: of a time that is still to come; remove it yourself', ahead],
  ];
  return groups
    .filter(([, backups], index) => index === 0 || backups.length > 0)
    .map(([title, backups]) => `${title}${backups.map(({ file }) => `\n  ${file}`).join('')}\n`)
    .join('');
}

/** Lines for `backup list`. */
export function formatList(backups: readonly ListedBackup[]): string {
  return formatColumns(
    backups.map(({ file, size, content }) =>
      content instanceof BackupError
        ? ['unreadable', formatBytes(size), file, content.message]
        : [
            content.createdAt,
            formatBytes(size),
            file,
            summarize(content) + (isComplete(content) ? '' : `, INCOMPLETE: lacks ${content.missingMedia.length}`),
          ],
    ),
  );
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
