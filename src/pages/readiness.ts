import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { paths } from '../shared/paths.js';
import { CompletePage } from './complete-page.js';
import { PageCache } from './page-cache.js';
import { PageRenderer } from './page-renderer.js';

/** The pages by which most visitors arrive; the second one needs the database. */
const FIRST_PAGES = [paths.home, paths.blogs];

/** Something may change while they are rendered. */
const ATTEMPTS = 3;

/** Finds out if this process can show pages (decision 34). */
@Injectable()
export class Readiness {
  private isProven = false;
  private proving: Promise<void> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly cache: PageCache,
    private readonly renderer: PageRenderer,
  ) {}

  /**
   * Returns true when there are pages to show. The first caller causes their rendering. From then on they are there:
   * while the database is away, however long, the last good ones are shown, but for those that may show what was taken back.
   */
  async hasPages(): Promise<boolean> {
    if (!this.isProven) await (this.proving ??= this.prove());
    return this.isProven;
  }

  /** Renders the first pages. With the database away this takes as long as pages wait for it (page-services.ts). */
  private async prove(): Promise<void> {
    try {
      for (let attempt = 0; attempt < ATTEMPTS && !this.isProven; attempt += 1) this.isProven = await this.makePages();
    } catch {
      // The next caller tries again.
    } finally {
      this.proving = undefined;
    }
  }

  /** @returns whether they were kept: one that was rendered while something changed is not */
  private async makePages(): Promise<boolean> {
    for (const path of FIRST_PAGES) {
      const { page } = await this.cache.answer(path, () => this.renderer.render(path));
      if (!(page instanceof CompletePage)) await page.whole;
    }
    // Development keeps no pages.
    return this.config.mode === 'development' || FIRST_PAGES.every((path) => this.cache.holds(path));
  }
}
