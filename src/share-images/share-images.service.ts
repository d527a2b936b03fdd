import { buffer } from 'node:stream/consumers';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { ConnectionPool } from '../database/pool/connection-pool.js';
import { UPKEEP_LIMITS, withDatabaseLimits } from '../database/pool/database-limits.js';
import { DIGEST_IN_SQL, DRAWN_POSTS } from '../posts/share-image.js';
import { Clock } from '../shared/clock.js';
import type { Site } from '../shared/contracts/site.js';
import { GateFullError } from '../shared/gate.js';
import { toShareImagePath, type ShareImageName } from '../shared/share-images.js';
import { sitePages, type SitePageName } from '../shared/site-pages.js';
import { isUuid } from '../shared/uuid.js';
import { SiteService, type PublishedTexts } from '../site/site.service.js';
import { ImageWorkshop } from '../uploads/uploads.module.js';
import { UploadsService } from '../uploads/uploads.service.js';

/** Share images that one process of the workshop draws: starting it takes longer than drawing them. */
const AT_ONCE = 4;
const DAY_MS = 86_400_000;
/** How long images are kept that no server wants any more: servers of two releases may take turns for a while. */
const UNWANTED_MS = 2 * DAY_MS;
/** How long an image that could not be drawn is left alone. */
const FAILED_MS = 3_600_000;

/** A post or page whose image is to be drawn. */
interface Subject extends ShareImageName {
  readonly title: string;
  readonly category: string | null;
}

/** The part of share images that is the company's. */
interface CompanyLook {
  readonly site: Site;
  readonly logo: { readonly bytes: Buffer; readonly hasName: boolean } | null;
}

/** The answer to the address of a share image: its bytes, or the address of the one to take instead. */
export type FoundShareImage = { readonly png: Buffer } | { readonly location: string };

const pageNames = Object.keys(sitePages) as SitePageName[];
const isPage = (subject: string) => pageNames.some((name) => name === subject);

/** Draws share images, keeps them, and finds them. Nothing of a post that readers may not see is drawn or found. */
@Injectable()
export class ShareImagesService {
  private readonly logger = new Logger(ShareImagesService.name);
  /** When subjects that could not be drawn are tried again, in milliseconds since 1970. */
  private readonly retries = new Map<string, number>();
  private lastReason = '';

  constructor(
    private readonly em: EntityManager,
    private readonly pool: ConnectionPool,
    private readonly workshop: ImageWorkshop,
    private readonly clock: Clock,
    private readonly site: SiteService,
    private readonly uploads: UploadsService,
  ) {}

  /**
   * Draws some of the share images that are lacking or show what is no longer so, one process at a time. Once none is
   * left, it removes those that nobody needs.
   * @param signal ends the drawing early
   * @returns how many were drawn; 0 when all are there, none can be, or another process is drawing
   * @throws GateFullError while too many uploads wait
   */
  async drawSome(signal?: AbortSignal): Promise<number> {
    const { site, texts } = this.site.now;
    const { shareStamp: stamp } = site;
    if (stamp === null) return 0;
    return await withDatabaseLimits(UPKEEP_LIMITS, () =>
      this.em.fork().transactional(async (em) => {
        const [lock] = await em.execute<{ held: boolean }[]>('select pg_try_advisory_xact_lock(?) as held', [
          ADVISORY_LOCKS.shareImages,
        ]);
        if (!lock?.held) return 0;
        const subjects = await this.findLacking(em, stamp, texts);
        if (subjects.length === 0) await this.removeUnneeded(em, stamp);
        const logo = subjects.length === 0 ? null : await this.readLogo(site);
        const images = await this.draw(subjects, { site, logo }, signal);
        for (const [subject, png] of images) await this.keep(em, stamp, subject, png);
        return images.length;
      }),
    );
  }

  /**
   * Finds the share image of an address. An earlier address leads to the image of now, and one that is not drawn yet to
   * the image before, or to that of the home page.
   * @returns null if there is none, or its post is not public
   */
  async find({ subject, digest }: ShareImageName): Promise<FoundShareImage | null> {
    if (!isPage(subject) && !(await this.isPublicPost(subject))) return null;
    const rows = await this.pool.read<{ subject: string; digest: string; png: Buffer | null }>(
      `select subject, digest, case when subject = $1 and digest = $2 then png end as png from share_images
       where subject in ($1, $3) order by subject = $1 desc, digest = $2 desc, drawn_at desc limit 1`,
      [subject, digest, 'home' satisfies SitePageName],
    );
    const [row] = rows;
    if (row === undefined) return null;
    return row.png === null ? { location: toShareImagePath(row) } : { png: row.png };
  }

  private async isPublicPost(subject: string): Promise<boolean> {
    if (!isUuid(subject)) return false;
    const sql = 'select 1 from blog_posts where id = $1 and is_published and deleted_at is null';
    return (await this.pool.read(sql, [subject])).length > 0;
  }

  private async findLacking(em: EntityManager, stamp: string, texts: PublishedTexts): Promise<Subject[]> {
    const left = this.findFailed();
    const drawn = await em.execute<{ subject: string }[]>(
      `select subject from share_images where stamp = ? and subject in (${pageNames.map(() => '?').join()})`,
      [stamp, ...pageNames],
    );
    const known = new Set([...drawn.map(({ subject }) => subject), ...left]);
    const pages = pageNames.filter((name) => !known.has(name)).map((name) => toSubject(name, stamp, texts));
    if (pages.length > 0) return pages.slice(0, AT_ONCE);
    const places = left.map(() => '?').join();
    return await em.execute<Subject[]>(
      `select subject, title, category, digest
       from (select id::text as subject, title, category, published_date, ${DIGEST_IN_SQL} as digest
             from blog_posts where ${DRAWN_POSTS}) post
       where not exists (select from share_images s
                         where s.subject = post.subject and s.stamp = ? and s.digest = post.digest)
       ${left.length > 0 ? `and subject not in (${places})` : ''}
       order by published_date desc, subject limit ${AT_ONCE}`,
      [stamp, stamp, ...left],
    );
  }

  /** Returns the subjects whose drawing failed a while ago. */
  private findFailed(): string[] {
    const now = this.clock.now().getTime();
    for (const [subject, at] of this.retries) if (at <= now) this.retries.delete(subject);
    return [...this.retries.keys()];
  }

  /** Draws subjects together, or each by itself if that fails: one that cannot be drawn holds no other one up. */
  private async draw(
    subjects: readonly Subject[],
    look: CompanyLook,
    signal: AbortSignal | undefined,
  ): Promise<[Subject, Buffer][]> {
    if (subjects.length === 0) return [];
    try {
      const { name: company, accent } = look.site;
      const drawings = subjects.map(({ title, category }) => ({ title, category, company, accent }));
      const images = await this.workshop.run({ kind: 'share', drawings, logo: look.logo }, { signal });
      return subjects.flatMap((subject, index) => {
        const png = images[index];
        return png === undefined ? [] : [[subject, Buffer.from(png)] as [Subject, Buffer]];
      });
    } catch (error) {
      if (signal?.aborted || error instanceof GateFullError) throw error;
      const [first, ...others] = subjects;
      if (first === undefined) return [];
      if (others.length === 0) this.noteFailure(first, error);
      const images: [Subject, Buffer][] = [];
      if (others.length > 0) for (const subject of subjects) images.push(...(await this.draw([subject], look, signal)));
      return images;
    }
  }

  /** The file that headers show; null where the company has no logo, or its file is lost. @throws StorageError */
  private async readLogo({ logo }: Site): Promise<CompanyLook['logo']> {
    if (logo === undefined) return null;
    const file = await this.uploads.openRendition(logo.src.slice(logo.src.lastIndexOf('/') + 1));
    return file === null ? null : { bytes: await buffer(file.stream), hasName: logo.hasName };
  }

  /** If all fail for the same reason, as when a file is missing, that is said once. */
  private noteFailure({ subject }: Subject, error: unknown): void {
    this.retries.set(subject, this.clock.now().getTime() + FAILED_MS);
    const reason = error instanceof Error ? error.message : String(error);
    if (reason !== this.lastReason) this.logger.warn({ err: error, subject }, 'A share image could not be drawn');
    this.lastReason = reason;
  }

  private async keep(em: EntityManager, stamp: string, { subject, digest }: Subject, png: Buffer): Promise<void> {
    const now = this.clock.now();
    const values = [subject, stamp, digest, png, now, now];
    // Taken back while it was drawn: nothing is kept of it.
    const source = isPage(subject) ? '' : `from blog_posts where id = ? and ${DRAWN_POSTS}`;
    await em.execute(
      `insert into share_images (subject, stamp, digest, png, drawn_at, wanted_at) select ?, ?, ?, ?, ?, ? ${source}
       on conflict (subject, stamp) do update
       set digest = excluded.digest, png = excluded.png, drawn_at = excluded.drawn_at, wanted_at = excluded.wanted_at`,
      isPage(subject) ? values : [...values, subject],
    );
  }

  private async removeUnneeded(em: EntityManager, stamp: string): Promise<void> {
    const now = this.clock.now().getTime();
    const pages = pageNames.map(() => '?').join();
    await em.execute(
      `delete from share_images s where subject not in (${pages})
       and not exists (select from blog_posts p where p.id::text = s.subject and ${DRAWN_POSTS})`,
      pageNames,
    );
    await em.execute('update share_images set wanted_at = ? where stamp = ? and wanted_at < ?', [
      new Date(now),
      stamp,
      new Date(now - DAY_MS),
    ]);
    await em.execute('delete from share_images where wanted_at < ?', [new Date(now - UNWANTED_MS)]);
  }
}

/** A page, of which the stamp says all that its image shows. */
function toSubject(name: SitePageName, stamp: string, texts: PublishedTexts): Subject {
  return { subject: name, digest: stamp, title: texts.headlineOf(name), category: null };
}
