import type { ExportItem, ExportLoss } from '../shared/contracts/export-report.js';
import { MEDIA_PATH } from '../shared/media.js';
import { parsePlayableName } from '../shared/media-files.js';
import type { UploadsService } from '../uploads/uploads.service.js';
import { isStable } from './content-markdown.js';
import { linkedFiles, shownFiles, type ExportedPost } from './exported-post.js';
import type { PostFiles } from './post-files.js';

/** One export from its first post to its last. */
export class ExportRun {
  /** True for images whose file exists, by name. */
  private readonly images = new Map<string, boolean>();

  private readonly lost = new Map<string, number>();

  constructor(
    private readonly files: PostFiles,
    private readonly uploads: UploadsService,
  ) {}

  /** How many images were written. */
  get imageCount(): number {
    return [...this.images.values()].filter(Boolean).length;
  }

  get losses(): ExportLoss[] {
    return [...this.lost].map(([what, posts]) => ({ what, posts })).sort((a, b) => b.posts - a.posts);
  }

  async add(post: ExportedPost): Promise<ExportItem> {
    const { id, slug, title, keptAt } = post.row;
    const base = { id, slug, reasons: [], notes: [] };
    if (title === '') return { ...base, file: null, outcome: 'skipped', reasons: ['it was never saved'] };
    const addresses = new Map<string, string>();
    const reasons: string[] = [];
    for (const name of shownFiles(post.row)) {
      if (await this.addImage(name)) addresses.set(MEDIA_PATH + name, this.files.imagePath(name));
      else reasons.push(`the ${parsePlayableName(name)?.kind ?? 'image'} ${name} is gone from the storage`);
    }
    const { file, losses, notes: ofFormat = [] } = await this.files.addPost(post, addresses);
    for (const what of losses) this.lost.set(what, (this.lost.get(what) ?? 0) + 1);
    const notes = [
      ...ofFormat,
      ...losses.map((what) => `not in the export: ${what}`),
      ...(keptAt ? ['it has edits that nobody saved, which are not in the export'] : []),
      ...linkedFiles(post.row).map(
        (name) =>
          `it links to the ${parsePlayableName(name)?.kind ?? 'image'} ${name}, which it does not show: not exported`,
      ),
      ...(isStable(post.row.content) ? [] : ['its text is not as texts are stored now: an import will change it']),
    ];
    return { ...base, file, outcome: reasons.length === 0 ? 'exported' : 'incomplete', reasons, notes };
  }

  /** Each once, however many posts show it. */
  private async addImage(name: string): Promise<boolean> {
    const known = this.images.get(name);
    if (known !== undefined) return known;
    const stored = await this.uploads.openFile(name);
    if (stored !== null) await this.files.addImage(name, stored.stream);
    this.images.set(name, stored !== null);
    return stored !== null;
  }
}
