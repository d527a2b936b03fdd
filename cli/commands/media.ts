import { Option, type Command } from 'commander';
import { BackupService } from '../../src/backup/backup.service.js';
import { CONFIG } from '../../src/config/config.js';
import { ImportedOriginalsService } from '../../src/import/imported-originals.service.js';
import { PostImagesService, type PostOutcome } from '../../src/import/post-images.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { MEDIA_KINDS, type MediaKind } from '../../src/shared/media.js';
import { MediaLibraryService, type StoredMedia } from '../../src/uploads/media-library.service.js';
import { MediaCheckService, type CheckedMedia, type LackingImage } from '../../src/uploads/media-check.service.js';
import { MediaRepairService, type RepairedImage } from '../../src/uploads/media-repair.service.js';
import { formatBytes } from '../backup-texts.js';
import { paint } from '../colors.js';
import { formatColumns } from '../columns.js';
import type { WithContext } from '../context.js';
import { EXIT_CODES } from '../exit-codes.js';
import { guide } from '../guide.js';
import { printable, printableLine } from '../printable.js';
import { privateHostOption } from '../private-host-option.js';
import { writeJson } from '../write-json.js';

interface ListFlags {
  readonly kind?: MediaKind;
  readonly unused?: true;
  readonly json?: true;
}

interface CheckFlags {
  readonly quick?: true;
  readonly json?: true;
}

interface RepairFlags {
  readonly dryRun?: true;
  readonly fromBackup?: string;
  readonly fetch: boolean;
  readonly allowPrivateHost?: readonly string[];
  readonly json?: true;
}

interface FetchFlags {
  readonly dryRun?: true;
  readonly allowPrivateHost?: readonly string[];
  readonly json?: true;
}

async function handleList({ kind, unused, json }: ListFlags, withContext: WithContext): Promise<void> {
  await withContext(async (context) => {
    const listed: StoredMedia[] = [];
    const query = { kind, isUnused: unused === true };
    for await (const item of context.get(MediaLibraryService).listAll(OPERATOR, query)) listed.push(item);
    if (json) return writeJson(listed);
    process.stdout.write(formatColumns(listed.map(toRow)));
    const bytes = listed.reduce((sum, item) => sum + item.bytes, 0);
    process.stdout.write(
      listed.length === 0 ? 'There are none.\n' : `${listed.length} listed, ${formatBytes(bytes)}\n`,
    );
  });
}

function toRow({ kind, bytes, name, file_name, uses }: StoredMedia): string[] {
  // A post that also has edits or versions with it is one place, and so is a fact of the company.
  const titles = [
    ...new Map(
      uses.map(({ post_id, title }) => [post_id ?? title, title || 'a post without a title'] as const),
    ).values(),
  ];
  const [first, ...others] = titles;
  const place = first === undefined ? 'not used' : first + (others.length === 0 ? '' : ` and ${others.length} more`);
  return [kind, formatBytes(bytes), name, file_name ?? '', place];
}

async function handleCheck({ quick, json }: CheckFlags, withContext: WithContext): Promise<void> {
  await withContext(async (context) => {
    const found: object[] = [];
    const handleLacking = (image: LackingImage) => {
      if (json) found.push(toRecord(image));
      else process.stdout.write(describeLack(image));
    };
    const checked = await context.get(MediaCheckService).check({ isQuick: quick === true, handleLacking });
    if (checked.lacking > 0) process.exitCode = EXIT_CODES.someRefused;
    if (json) writeJson({ images: checked.images, lacking: found, left: checked.left });
    else process.stdout.write(describeCheck(checked));
  });
}

async function handleRepair(flags: RepairFlags, withContext: WithContext): Promise<void> {
  const isDryRun = flags.dryRun === true;
  await withContext(async (context) => {
    const backup =
      flags.fromBackup === undefined ? null : await new BackupService(context.get(CONFIG)).openMedia(flags.fromBackup);
    const imports = context
      .get(ImportedOriginalsService)
      .open({ isFetching: flags.fetch, privateHosts: flags.allowPrivateHost ?? [] });
    const found: RepairedImage[] = [];
    const toRecords = () => found.map(({ image, mended, lost }) => ({ ...toRecord(image), mended, lost }));
    try {
      const { images, lacking, repaired, left } = await context.get(MediaRepairService).repair({
        isDryRun,
        sources: backup === null ? [imports] : [backup, imports],
        handleImage: (outcome) => {
          found.push(outcome);
          if (!flags.json) process.stdout.write(describeRepair(outcome, isDryRun));
        },
      });
      if (lacking > repaired) process.exitCode = EXIT_CODES.someRefused;
      if (flags.json) return writeJson({ isDryRun, images, lacking: toRecords(), repaired, left });
      const end = isDryRun ? ' (dry run: nothing was written)' : '';
      const verb = isDryRun ? 'can be repaired' : 'repaired';
      const sums = `${count(images, 'image')}, ${lacking} lacking files: ${repaired} ${verb}, ${lacking - repaired} lost`;
      process.stdout.write(`${sums}${end}\n`);
    } catch (error) {
      // What was repaired until then stays; how many images there are is not known.
      const repaired = found.filter(({ lost }) => lost.length === 0).length;
      if (flags.json && found.length > 0) {
        writeJson({ isDryRun, lacking: toRecords(), repaired, error: messageOf(error) });
      }
      throw error;
    } finally {
      await backup?.close();
    }
  });
}

async function handleFetchRemote(flags: FetchFlags, withContext: WithContext): Promise<void> {
  const isDryRun = flags.dryRun === true;
  await withContext(async (context) => {
    const posts: PostOutcome[] = [];
    const toSums = () => ({
      stored: posts.reduce((sum, post) => sum + post.stored.length, 0),
      lost: posts.reduce((sum, post) => sum + post.lost.length, 0),
    });
    try {
      await context.get(PostImagesService).fetchAll(OPERATOR, {
        isDryRun,
        privateHosts: flags.allowPrivateHost ?? [],
        handlePost: (outcome) => {
          posts.push(outcome);
          if (!flags.json) process.stdout.write(describeFetched(outcome, isDryRun));
        },
      });
    } catch (error) {
      // What was stored until then stays.
      if (flags.json && posts.length > 0) writeJson({ isDryRun, posts, ...toSums(), error: messageOf(error) });
      throw error;
    }
    const { stored, lost } = toSums();
    if (lost > 0) process.exitCode = EXIT_CODES.someRefused;
    if (flags.json) return writeJson({ isDryRun, posts, stored, lost });
    const end = isDryRun ? ' (dry run: nothing was written)' : '';
    const verb = isDryRun ? 'can be stored' : 'stored';
    const sums = `${count(stored + lost, 'picture')} of other sites: ${stored} ${verb}, ${lost} not to be had`;
    process.stdout.write(`${count(posts.length, 'post')} with ${sums}${end}\n`);
  });
}

function describeFetched({ slug, stored, lost }: PostOutcome, isDryRun: boolean): string {
  const word = isDryRun ? 'storable' : 'stored';
  return [
    ...stored.map((address) => `${paint('good', word.padEnd(8))}  ${printable(address)} of ${printableLine(slug)}\n`),
    ...lost.map(({ address, reason }) => {
      return `${paint('bad', 'lost    ')}  ${printable(address)} of ${printableLine(slug)}: ${printable(reason)}\n`;
    }),
  ].join('');
}

function toRecord({ id, name, missing, damaged, uses }: LackingImage) {
  return { id, name, missing, damaged, uses };
}

function describeLack({ name, missing, damaged, uses }: LackingImage): string {
  const lines = [
    ...missing.map((file) => `${paint('bad', 'missing')}  ${file}\n`),
    ...damaged.map((file) => `${paint('bad', 'damaged')}  ${file}\n`),
  ];
  return `${lines.join('')}         of ${name}, which ${count(uses, 'text')} ${uses === 1 ? 'shows' : 'show'}\n`;
}

function describeCheck({ images, lacking, left }: CheckedMedia): string {
  const strangers = left.map((id) => `${paint('quiet', 'left   ')}  files that begin with ${id} belong to no image\n`);
  const advice = lacking === 0 ? '' : 'npm run cli -- media repair brings back what can be had again.\n';
  const leftOver = left.length === 0 ? '' : `; files of ${left.length} that are no more, which the server removes`;
  return `${strangers.join('')}${count(images, 'image')}, ${lacking} lacking files${leftOver}\n${advice}`;
}

function describeRepair({ image, mended, lost }: RepairedImage, isDryRun: boolean): string {
  const word = isDryRun ? 'mendable' : 'mended';
  return [
    ...mended.map(({ name, source }) => `${paint('good', word.padEnd(8))}  ${name}, from ${FROM[source]}\n`),
    ...lost.map((name) => `${paint('bad', 'lost    ')}  ${name} of ${image.name}\n`),
  ].join('');
}

const FROM = { renditions: 'the image itself', backup: 'the backup', import: 'where it was imported from' } as const;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** `media`: lists, checks and repairs what is stored. */
export function registerMediaCommands(program: Command, withContext: WithContext): void {
  const media = program
    .command('media')
    .description('the stored images, sound and films: what there is, what is lost, and bringing it back');
  registerList(media, withContext);
  registerCheck(media, withContext);
  registerRepair(media, withContext);
  registerFetchRemote(media, withContext);
}

function registerList(media: Command, withContext: WithContext): void {
  const list = media
    .command('list')
    .description('everything that is stored, the newest first: kind, size, name, file, and where it is used')
    .addOption(new Option('--kind <kind>', 'only those of this kind').choices(MEDIA_KINDS))
    .option('--unused', 'only those that nothing shows: no post or fact of the company, and no edit or version of one')
    .option('--json', 'write JSON')
    .action((flags: ListFlags) => handleList(flags, withContext));
  guide(list, {
    remarks:
      'An image counts with all its renditions. What nothing uses goes by itself after UPLOADS_UNUSED_DAYS. Posts in the ' +
      'trash use what they show.',
    examples: [
      ['', 'all of them'],
      ['--kind video', 'films'],
      ['--unused --json', 'what will go, for programs'],
    ],
  });
}

function registerCheck(media: Command, withContext: WithContext): void {
  const check = media
    .command('check')
    .description('find out whether every image has its files as they were stored, and every file its image')
    .option('--quick', 'compare names and sizes, and read no file')
    .option('--json', 'write JSON')
    .action((flags: CheckFlags) => handleCheck(flags, withContext));
  guide(check, {
    remarks:
      'Reads every file, while the site is in use. The server makes a quick check every day; doctor and ' +
      '/api/health/details tell what it found.',
    partly: 'an image lacks files; each is named',
    examples: [
      ['', 'what is missing or damaged'],
      ['--quick --json', 'names and sizes only, for programs'],
    ],
  });
}

function registerRepair(media: Command, withContext: WithContext): void {
  const repair = media
    .command('repair')
    .description('bring back files of images that are missing or damaged')
    .option('--from-backup <file>', 'take them from a backup first')
    .option('--dry-run', 'only say what could be brought back')
    .option('--no-fetch', 'ask no other site for images that were imported from there')
    .addOption(privateHostOption())
    .option('--json', 'write JSON')
    .action((flags: RepairFlags) => handleRepair(flags, withContext));
  guide(repair, {
    remarks:
      'What a backup has comes back as it was. Else the image is made again from the file or address that it was ' +
      'imported from, if the same bytes are still there, and smaller renditions from the largest one. posts import, run ' +
      'again, brings images back too.',
    partly: 'an image still lacks files; each is named',
    examples: [
      ['--dry-run', 'what could be brought back'],
      ['--from-backup site.tar', 'with what a backup has'],
    ],
  });
}

function registerFetchRemote(media: Command, withContext: WithContext): void {
  const fetchRemote = media
    .command('fetch-remote')
    .description('store the pictures of other sites that posts show')
    .option('--dry-run', 'fetch and look at them, and only say which could be stored')
    .option('--allow-private-host <name...>', 'fetch images from these hosts although their addresses are private')
    .option('--json', 'write JSON')
    .action((flags: FetchFlags) => handleFetchRemote(flags, withContext));
  guide(fetchRemote, {
    remarks:
      'Browsers show no pictures of other sites; pages have links in their places. Looks at saved texts, edits that wait, ' +
      'versions and the trash. Dates stay as they are; an editor that has such a post open meets a conflict at its next ' +
      'save. What could not be had stays as it is, and the next run tries it again.',
    partly: 'a picture could not be had; each is named with the reason',
    examples: [
      ['--dry-run', 'what could be stored'],
      ['', 'store them'],
    ],
  });
}
