import { basename } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { RedirectsService } from '../redirects/redirects.service.js';
import type { Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import type { ImportItem, ImportOptions } from '../shared/contracts/import-report.js';
import { UploadsService } from '../uploads/uploads.service.js';
import { ImageFinder } from './import/images/image-finder.js';
import { ImageResolver } from './import/images/image-resolver.js';
import { ImageTaker } from './import/images/image-taker.js';
import { ImportRun } from './import/import-run.js';
import { openSource } from './import/open-source.js';
import { RemoteImageFetcher } from './import/images/remote-image-fetcher.js';
import { PostsService } from './posts.service.js';

/** Told how far an import is, in bytes or files, whatever the source is counted in; not always in order. */
export type ImportProgress = (done: number, total: number) => void;

/** Brings posts from elsewhere in, over the same write path as everything else. */
@Injectable()
export class ImportService {
  constructor(
    private readonly posts: PostsService,
    private readonly uploads: UploadsService,
    private readonly redirects: RedirectsService,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Imports all that a file or folder holds, and gives each thing in it when it is done with. A post that cannot be
   * taken is refused, whole, and named with its reasons; the others are taken. Running it again changes nothing.
   * @throws ImportSourceError if there is nothing to import
   */
  async *importPosts(
    actor: Actor,
    path: string,
    options: ImportOptions = {},
    handleProgress: ImportProgress = () => undefined,
  ): AsyncGenerator<ImportItem> {
    const { name: author, timeZone } = this.config.site;
    const source = await openSource(path, { author, timeZone }, options.format);
    const finder = await ImageFinder.create(source.root, options.assetsFolder);
    const run = new ImportRun({
      posts: this.posts,
      redirects: this.redirects,
      clock: this.clock,
      resolver: new ImageResolver(finder, options.isLeavingOutMissingImages === true),
      ...this.createTakers(options),
      actor,
      options,
      handleProgress: (position) => handleProgress(position, source.total),
    });
    yield* run.import(source, basename(path));
  }

  private createTakers({ isDryRun = false, isFetching = true, privateHosts = [] }: ImportOptions) {
    const fetcher = isFetching ? new RemoteImageFetcher({ privateHosts }) : null;
    const inspector = new ImageTaker({ uploads: this.uploads, fetcher, isDryRun: true });
    const taker = isDryRun ? inspector : new ImageTaker({ uploads: this.uploads, fetcher, isDryRun });
    return { inspector, taker };
  }
}
