import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import type { Actor } from '../shared/actor.js';
import type { ImportOptions, ImportReport } from '../shared/contracts/import-report.js';
import { UploadsService } from '../uploads/uploads.service.js';
import { ImageFinder } from './import/image-finder.js';
import { ImportRun } from './import/import-run.js';
import { MarkdownReader } from './import/markdown-reader.js';
import { findSourceFiles } from './import/source-files.js';
import { PostsService } from './posts.service.js';

/** Told after each file; `total` is known from the start. */
export type ImportProgress = (done: number, total: number) => void;

/** Brings posts from elsewhere in, over the same write path as everything else. */
@Injectable()
export class ImportService {
  constructor(
    private readonly posts: PostsService,
    private readonly uploads: UploadsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Imports a Markdown file, or all of a folder. A post that cannot be taken is refused, whole, and named with its
   * reasons; the others are taken. Running it again changes nothing.
   * @throws ImportSourceError if there is nothing to import
   */
  async importMarkdown(
    actor: Actor,
    path: string,
    options: ImportOptions = {},
    onProgress: ImportProgress = () => undefined,
  ): Promise<ImportReport> {
    const { root, files } = await findSourceFiles(path);
    const reader = new MarkdownReader(await ImageFinder.create(root, options.assetsFolder), {
      root,
      siteName: this.config.site.name,
      timeZone: this.config.site.timeZone,
      isLeavingOutMissingImages: options.isLeavingOutMissingImages === true,
    });
    let done = 0;
    const handleFile = () => onProgress((done += 1), files.length);
    const run = new ImportRun({ posts: this.posts, uploads: this.uploads, reader, actor, options, handleFile });
    return { isDryRun: options.isDryRun === true, items: await run.import(files) };
  }
}
