import { basename } from 'node:path';
import { Injectable } from '@nestjs/common';
import { CommentsService } from '../posts/comments/comments.service.js';
import { RedirectsService } from '../redirects/redirects.service.js';
import type { Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import {
  importOutcomes,
  type ImportFormat,
  type ImportItem,
  type ImportOptions,
  type ImportOutcome,
} from '../shared/contracts/import-report.js';
import { toUnreservedSlug } from '../shared/reserved-slugs.js';
import { MediaCheckService } from '../uploads/media-check.service.js';
import { SiteService } from '../site/site.service.js';
import { PlayableFilesService } from '../uploads/playable-files.service.js';
import { UploadsService } from '../uploads/uploads.service.js';
import type { LargeChange } from './import-decision.js';
import { ImportSourceError } from './import.errors.js';
import { ImportedPostsService } from './imported-posts.service.js';
import { whyWithheld } from './publication.js';
import { readShortcodeRules } from './shortcode-rules.js';
import { chooseSlug, chosenFrom, unknownNameIn } from './source-choices.js';
import { problemOfPattern } from './markdown/permalink.js';
import { toSourceName } from './source-name.js';
import type { PostSource } from './source-post.js';
import { ImageFinder } from './images/image-finder.js';
import { ImageResolver } from './images/image-resolver.js';
import { ImageTaker } from './images/image-taker.js';
import { LostImageTaker } from './images/lost-images.js';
import { ImportRun } from './import-run.js';
import { ImportRunsService, type BegunRun } from './import-runs.service.js';
import { openSource } from './open-source.js';
import { RemoteImageFetcher } from './images/remote-image-fetcher.js';

/** The operator of a running import; where nobody can be asked, items that need an answer are refused. */
export interface ImportDialogue {
  /** Told how far it is, in bytes or files, whatever the source is counted in; not always in order. */
  readonly handleProgress?: (done: number, total: number) => void;
  /** Asks what the source is called, as it does not say; `hint` tells why. */
  readonly nameSource?: (hint: string | undefined) => Promise<string>;
  /** Asks whether posts may lose most of their words. */
  readonly confirmChanges?: (changes: readonly LargeChange[]) => Promise<boolean>;
}

/** Brings posts from elsewhere in, over the same write path as everything else. */
@Injectable()
export class ImportService {
  constructor(
    private readonly posts: ImportedPostsService,
    private readonly uploads: UploadsService,
    private readonly playable: PlayableFilesService,
    private readonly media: MediaCheckService,
    private readonly redirects: RedirectsService,
    private readonly runs: ImportRunsService,
    private readonly comments: CommentsService,
    private readonly clock: Clock,
    private readonly site: SiteService,
  ) {}

  /**
   * Imports all that a file or folder holds, and gives each thing in it when it is done with. A post that cannot be
   * taken is refused, whole, and named with its reasons; the others are taken. Running it again changes nothing.
   * @throws ImportSourceError if there is nothing to import, or nobody says which source it is
   */
  async *importPosts(
    actor: Actor,
    path: string,
    options: ImportOptions = {},
    dialogue: ImportDialogue = {},
  ): AsyncGenerator<ImportItem> {
    const source = await this.open(path, options);
    const sourceName = await findName(path, source, options.source, dialogue);
    const finder = await ImageFinder.create(source.root, options.assetsFolder);
    const takers = this.createTakers(options);
    const record = options.isDryRun === true ? null : await this.runs.begin(path, sourceName, options);
    const run = new ImportRun({
      posts: this.posts,
      comments: this.comments,
      redirects: this.redirects,
      clock: this.clock,
      resolver: new ImageResolver(finder, this.playable),
      ...takers,
      lostImages: new LostImageTaker({
        find: () => this.media.findLost(),
        taker: takers.taker,
        isDryRun: options.isDryRun === true,
      }),
      actor,
      options,
      sourceName,
      runId: record?.id ?? null,
      handleProgress: (position) => dialogue.handleProgress?.(position, source.total),
      confirmChanges: dialogue.confirmChanges,
    });
    const named = { ...source, read: (handle: (done: number) => void) => source.read(handle, sourceName) };
    yield* recorded(record, run.import(named, basename(path)));
  }

  /**
   * Counts the posts of a source that not everybody can read there, by the reason why.
   * @throws ImportSourceError if there is nothing to import
   */
  async countWithheld(path: string, options: ImportOptions = {}): Promise<Map<string, number>> {
    const source = await this.open(path, options);
    const counts = new Map<string, number>();
    for await (const item of source.read(() => undefined)) {
      const reason = 'itemKey' in item ? whyWithheld(item) : undefined;
      if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    return counts;
  }

  private async open(path: string, options: ImportOptions): Promise<PostSource> {
    const { name: author, timeZone } = this.site.current;
    // Links lead to the address that a post gets, which is none that the blog itself has.
    const slugOf = (post: Parameters<typeof chooseSlug>[0]) => toUnreservedSlug(chooseSlug(post, options));
    const { pages, shortcodesFile } = options;
    const shortcodes = shortcodesFile === undefined ? {} : { shortcodes: await readShortcodeRules(shortcodesFile) };
    const taken = { ...(pages === undefined ? {} : { pages }), isTakingComments: options.isTakingComments === true };
    const settings = { author, timeZone, slugOf, ...permalinkIn(options), ...shortcodes, ...taken };
    refusePatterns(options);
    const source = await openSource(path, settings, options.format);
    refuseOptions(path, source.format, options);
    return chosenFrom(source, options, timeZone);
  }

  private createTakers({ isDryRun = false, isFetching = true, privateHosts = [] }: ImportOptions) {
    const fetcher = isFetching ? new RemoteImageFetcher({ privateHosts }) : null;
    const stores = { uploads: this.uploads, playable: this.playable };
    const inspector = new ImageTaker({ ...stores, fetcher, isDryRun: true });
    const taker = isDryRun ? inspector : new ImageTaker({ ...stores, fetcher, isDryRun });
    return { inspector, taker };
  }
}

/**
 * Refuses options that would do nothing: whoever gives one counts on it.
 * @throws ImportSourceError
 */
function refuseOptions(path: string, format: ImportFormat, options: ImportOptions): void {
  const refuse = (reason: string) => {
    throw new ImportSourceError(`${path}: ${reason}`);
  };
  const isMarkdown = format === 'markdown';
  const isWordPress = format === 'wordpress';
  if (options.pages !== undefined && !isWordPress && format !== 'ghost') {
    refuse('--pages is about the pages of WordPress and Ghost, and this is neither');
  }
  if (options.isTakingComments === true && !isWordPress) {
    const why = format === 'ghost' ? 'exports of Ghost hold no comments' : 'this is none';
    refuse(`--comments is about exports of WordPress: ${why}`);
  }
  if (options.permalink !== undefined && !isMarkdown) {
    const way = isWordPress ? 'its export has the addresses of posts' : 'redirects import leads other addresses on';
    refuse(`--permalink is about Markdown: ${way}`);
  }
  if (options.categoryFrom !== undefined && !isMarkdown) refuse('--category-from is about folders of Markdown');
  if (options.shortcodesFile !== undefined && !isMarkdown && !isWordPress) {
    refuse('--shortcodes is about tags in Markdown and WordPress, and this is neither');
  }
}

/**
 * Refuses patterns with names in them that nobody fills in: they would be read as words, or no post would have an address.
 * @throws ImportSourceError
 */
function refusePatterns({ permalink, slugPrefix = '', slugSuffix = '' }: ImportOptions): void {
  const problem = permalink === undefined ? null : problemOfPattern(permalink);
  if (problem !== null) throw new ImportSourceError(`--permalink ${permalink}: ${problem}`);
  for (const [option, pattern] of [['--slug-prefix', slugPrefix] as const, ['--slug-suffix', slugSuffix] as const]) {
    const unknown = unknownNameIn(pattern);
    if (unknown === null) continue;
    throw new ImportSourceError(`${option} ${pattern}: '${unknown}' is not known; there are :language and :folder`);
  }
}

/** Gives the items of an import, and has its run end with them, however it ends. */
async function* recorded(run: BegunRun | null, items: AsyncIterable<ImportItem>): AsyncGenerator<ImportItem> {
  const counts = Object.fromEntries(importOutcomes.map((outcome) => [outcome, 0])) as Record<ImportOutcome, number>;
  let isComplete = false;
  try {
    for await (const item of items) {
      counts[item.outcome] += 1;
      yield item;
    }
    isComplete = true;
  } finally {
    // The error that broke it off says more than one about its record.
    if (!isComplete) await run?.end(null).catch(() => undefined);
  }
  await run?.end(counts);
}

function permalinkIn({ permalink }: ImportOptions): { readonly permalink?: string } {
  return permalink === undefined ? {} : { permalink };
}

/**
 * Returns the name of the source, given by the operator or found in the source; null if its posts can be told from
 * others without it.
 */
async function findName(
  path: string,
  source: PostSource,
  given: string | undefined,
  { nameSource }: ImportDialogue,
): Promise<string | null> {
  if (given !== undefined) return toSourceName(given);
  const { name, isNeeded, hint } = await source.identify();
  if (name !== null || !isNeeded) return name;
  if (nameSource !== undefined) return toSourceName(await nameSource(hint));
  throw new ImportSourceError(
    `${path}: does not say which site it is from${hint === undefined ? '' : ` (${hint})`}: name it with --source, always the same, so that its posts are known again and never replaced by those of another`,
  );
}
