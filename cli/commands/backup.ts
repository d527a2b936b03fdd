import { InvalidArgumentError, type Command } from 'commander';
import {
  BackupError,
  BackupService,
  isComplete,
  KEPT_COMPLETE,
  type ListedBackup,
} from '../../src/backup/backup.service.js';
import { loadConfig } from '../../src/config/config.js';
import { describeLack, formatBytes, formatCounts, formatList, formatPruning, summarize } from '../backup-texts.js';
import { paint } from '../colors.js';
import { confirm } from '../confirm.js';
import { EXIT_CODES, exitCodeFor } from '../exit-codes.js';
import { guide } from '../guide.js';
import { writeJson } from '../write-json.js';

// These commands must work where the application cannot start: over an empty database, or an outdated one.
const openBackups = () => new BackupService(loadConfig());

interface JsonFlag {
  readonly json?: true;
}

async function handleCreate(file: string | undefined, { json }: JsonFlag): Promise<void> {
  const created = await openBackups().create(file);
  const { manifest, size } = created;
  if (!isComplete(manifest)) {
    process.exitCode = EXIT_CODES.someRefused;
    process.stderr.write(`${describeLack(manifest)}npm run cli -- media repair brings back what can be had again.\n`);
  }
  if (json) return writeJson({ file: created.file, size, isComplete: isComplete(manifest), manifest });
  process.stdout.write(`${created.file}\n${summarize(manifest)}; ${formatBytes(size)}\n`);
}

async function handleVerify(file: string, flags: JsonFlag & { readonly restoreTest?: true }): Promise<void> {
  const { manifest, problems, restored } = await openBackups().verify(file, flags.restoreTest === true);
  if (problems.length > 0 || !isComplete(manifest)) process.exitCode = EXIT_CODES.someRefused;
  if (!isComplete(manifest)) process.stderr.write(describeLack(manifest));
  const isWhole = problems.length === 0;
  if (flags.json) return writeJson({ file, isWhole, isComplete: isComplete(manifest), problems, restored, manifest });
  const lines = problems.map((problem) => `${paint('bad', 'FAIL')}  ${problem}\n`);
  if (isWhole) lines.push(`${paint('good', 'OK')}    ${summarize(manifest)}: whole, of ${manifest.createdAt}\n`);
  if (restored)
    lines.push(`${paint('good', 'OK')}    restored into a database of its own: ${formatCounts(restored)}\n`);
  process.stdout.write(lines.join(''));
}

async function handleList(folder: string | undefined, { json }: JsonFlag): Promise<void> {
  const service = openBackups();
  const backups = await service.list(folder);
  if (json) return writeJson(backups.map(toRecord));
  const none = `There are no backups in ${folder ?? service.folder} yet.\n`;
  process.stdout.write(backups.length === 0 ? none : formatList(backups));
}

function toRecord({ file, size, content }: ListedBackup) {
  if (content instanceof BackupError) return { file, size, error: content.message };
  const { createdAt, version, site, tables, media, missingMedia } = content;
  const rows = Object.fromEntries(tables.map((table) => [`${table.schema}.${table.name}`, table.rows]));
  const files = { image_files: media.length, missing_image_files: missingMedia.length };
  return { file, size, created_at: createdAt, version, site, rows, ...files };
}

interface PruneFlags extends JsonFlag {
  readonly days: number;
  readonly dryRun?: boolean;
}

async function handlePrune(folder: string | undefined, { days, dryRun = false, json }: PruneFlags): Promise<void> {
  const { removed, spared, ahead, kept } = await openBackups().prune(folder, { days, isDryRun: dryRun });
  process.exitCode = exitCodeFor(removed.length + kept.length, kept.length);
  for (const { file, reason } of kept) process.stderr.write(`${file} was not removed: ${reason}\n`);
  const files = (backups: readonly ListedBackup[]) => backups.map(({ file }) => file);
  if (json) {
    const [gone, stay, unsure] = [removed, spared, ahead].map(files);
    return writeJson({ removed: gone, spared: stay, ahead: unsure, not_removed: kept, dry_run: dryRun });
  }
  process.stdout.write(formatPruning({ removed, spared, ahead }, days, dryRun));
}

function parseDays(text: string): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1 || days > 36_500) throw new InvalidArgumentError('Give whole days, from 1.');
  return days;
}

interface RestoreFlags extends JsonFlag {
  readonly yes?: true;
  readonly safetyBackup: boolean;
}

async function handleRestore(file: string, { yes, safetyBackup, json }: RestoreFlags): Promise<void> {
  const service = openBackups();
  const restored = await service.restore(file, {
    isCautious: safetyBackup,
    confirm: async (present, { createdAt }) =>
      yes === true ||
      (await confirm(`The state of ${createdAt} will replace ${formatCounts(present)} in ${service.databaseName}.`)),
  });
  if (restored === null) {
    process.exitCode = EXIT_CODES.nothingDone;
    process.stderr.write('Nothing was changed.\n');
    return;
  }
  const { manifest, rows, media, skipped, before } = restored;
  if (json) {
    const files = { image_files_added: media, missing_image_files: manifest.missingMedia.length };
    const kept = { before: before?.file, before_created_at: before?.manifest.createdAt };
    return writeJson({ file, created_at: manifest.createdAt, rows, ...files, skipped, ...kept });
  }
  const lines = [`Restored the state of ${manifest.createdAt}: ${summarize(manifest)}.`];
  if (before) {
    const { createdAt } = before.manifest;
    lines.push(
      `What was here at ${createdAt} is in ${before.file}`,
      'What was written after that is gone.',
      'Nothing prunes that file: remove it when you are sure of what was restored.',
    );
  }
  if (skipped.length > 0) lines.push(`Not the product's, and left out: ${skipped.join(', ')}`);
  if (!isComplete(manifest)) lines.push(describeLack(manifest).trimEnd());
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** `backup`: the whole site as one file. */
export function registerBackupCommands(program: Command): void {
  const backup = program.command('backup').description('the whole site as one file: rows, images, checksums');
  registerCreate(backup);
  registerVerify(backup);
  registerList(backup);
  registerPrune(backup);
  registerRestore(backup);
}

function registerCreate(backup: Command): void {
  const create = backup
    .command('create')
    .description('back up the database and all images, while the site is in use')
    .argument('[file]', 'a new file; DATA_DIR/backups/backup-<time>.tar if left out')
    .option('--json', 'write JSON')
    .action(handleCreate);
  guide(create, {
    remarks:
      'The file holds password hashes and what people wrote: keep it where only you can read it, and a copy on another ' +
      'machine. Not in it: the variables, and DATA_DIR/auth-keys.json if keys are generated; keep these as well.',
    partly: 'the backup was made, and lacks images that the storage has lost; they are named',
    examples: [
      ['', 'in DATA_DIR/backups, named by the time'],
      ['/mnt/backups/site.tar', 'in a file of your own'],
    ],
  });
}

function registerVerify(backup: Command): void {
  const verify = backup
    .command('verify')
    .description('check every row and file of a backup')
    .argument('<file>', 'the backup')
    .option('--restore-test', 'also restore it into a database of its own, which is removed afterward')
    .option('--json', 'write JSON')
    .action(handleVerify);
  guide(verify, {
    partly: 'the backup is not whole, or lacks images that were lost when it was made; what is missing is named',
    examples: [
      ['site.tar', 'whether it is whole'],
      ['site.tar --restore-test', 'whether it restores'],
    ],
  });
}

function registerList(backup: Command): void {
  const list = backup
    .command('list')
    .description('the backups in a folder, the newest first')
    .argument('[folder]', 'DATA_DIR/backups if left out')
    .option('--json', 'write JSON')
    .action(handleList);
  guide(list, {
    examples: [
      ['', 'those that were made here'],
      ['/mnt/backups --json', 'those in another folder, for programs'],
    ],
  });
}

function registerPrune(backup: Command): void {
  const prune = backup
    .command('prune')
    .description('remove old backups; the last complete ones stay')
    .argument('[folder]', 'DATA_DIR/backups if left out')
    .option('--days <days>', 'how old they may be', parseDays, 30)
    .option('--dry-run', 'only say which')
    .option('--json', 'write JSON')
    .action(handlePrune);
  guide(prune, {
    remarks:
      `The last ${KEPT_COMPLETE} complete backups stay, however old they are: later ones may lack images that were lost. ` +
      'Files that you named yourself stay too, what was backed up before a restore, and files that cannot be read, as when ' +
      'somebody else owns them: each may be the last good one.',
    partly: 'some could not be removed, or not be read, and are named',
    examples: [
      ['', 'those older than 30 days'],
      ['/mnt/backups --days 90 --dry-run', 'which ones would go in another folder'],
    ],
  });
}

function registerRestore(backup: Command): void {
  const restore = backup
    .command('restore')
    .description('put a backup in the place of what there is: all of it or, if anything is wrong, nothing')
    .argument('<file>', 'the backup')
    .option('--yes', 'you are sure; asked for when there is something to lose')
    .option('--no-safety-backup', 'do not back up first what there is')
    .option('--json', 'write JSON')
    .action(handleRestore);
  guide(restore, {
    remarks:
      'Works beside running servers: people read the old state until the new one is there. What they write after the backup ' +
      'of the old state was begun is lost: stop the servers first where that must not be. Mails that had not left when ' +
      'the backup was made leave again. Sessions are those of the backup.',
    examples: [
      ['site.tar', 'say what would be replaced, and ask'],
      ['site.tar --yes --no-safety-backup', 'at once, with no way back'],
    ],
  });
}
