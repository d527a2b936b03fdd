import { Injectable } from '@nestjs/common';
import { Feed, type FeedOptions } from 'feed';
import { BlogListService } from '../posts/blog-list.service.js';
import { PostsService } from '../posts/posts.service.js';
import { TermPagesService } from '../posts/term-pages/term-pages.service.js';
import type { FeedPost, ShareImage } from '../shared/contracts/posts.js';
import { contentTypeOf, type MediaExtension } from '../shared/media.js';
import { blogsTexts } from '../shared/contracts/page-texts/blogs.js';
import { fillText, toCompanyValues } from '../shared/contracts/page-texts/placeholders.js';
import { paths } from '../shared/paths.js';
import { sharedPageOf, toShareImagePath } from '../shared/share-images.js';
import { sitePages, type SitePageName } from '../shared/site-pages.js';
import { toTermFeedPath, toTermPath, type TermAddress, type TermFeed } from '../shared/term-addresses.js';
import { describeTerm, headingOf } from '../shared/term-words.js';
import { SiteService } from '../site/site.service.js';
import { toFeedContent, toFeedText } from './feed-content.js';

/** Posts in the feed with their text; feed readers keep older ones. */
const FEED_LENGTH = 30;

/** Writes the sitemap, the RSS feed and robots.txt. All of them contain published posts only. */
@Injectable()
export class FeedsService {
  /** Addresses in the sitemap: search engines read no larger one. */
  sitemapLength = 50_000;

  constructor(
    private readonly site: SiteService,
    private readonly posts: PostsService,
    private readonly lists: BlogListService,
    private readonly terms: TermPagesService,
  ) {}

  /**
   * sitemaps.org 0.9, with the images of pages and posts. The blog list is as new as its texts, or the post that was changed last.
   * Where there is too much, the oldest posts are left out, and of terms all that have no room.
   */
  async sitemap(): Promise<string> {
    const posts = await this.posts.listPublishedAddresses();
    const archive = (await this.lists.listPlaces()).map((place) => paths.archive(place));
    const pages = [...paths.listed, ...archive];
    const newest = posts.slice(0, Math.max(0, this.sitemapLength - pages.length));
    const terms = await this.terms.listAddresses(Math.max(0, this.sitemapLength - pages.length - newest.length));
    const written = [this.changedAt(paths.blogs), ...posts.map(({ updatedAt }) => updatedAt.toISOString())];
    const changed = written.filter((moment) => moment !== undefined).sort();
    const entries = [
      ...pages.map((path) =>
        this.toEntry(path, path === paths.blogs ? changed.at(-1) : this.changedAt(path), this.imageOf(path)),
      ),
      ...terms.map((term) => this.toEntry(toTermPath(term), term.changedAt.toISOString(), null)),
      ...newest.map(({ slug, updatedAt, image }) =>
        this.toEntry(paths.blog(slug), updatedAt.toISOString(), image?.src ?? null),
      ),
    ];
    return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
${entries.join('\n')}
</urlset>
`;
  }

  /** When somebody changed the texts of a page; undefined for texts as they came with a release. */
  private changedAt(path: string): string | undefined {
    const pages = Object.keys(sitePages) as SitePageName[];
    const page = pages.find((name) => sitePages[name].path === path);
    return page === undefined ? undefined : this.site.texts.changedAt(page)?.toISOString();
  }

  /** RSS 2.0 with the posts' full text. */
  async rss(): Promise<string> {
    return await this.ofSite('rss.xml');
  }

  /** JSON Feed 1.0 with the same. */
  async json(): Promise<string> {
    return await this.ofSite('feed.json');
  }

  /** The same of the posts that have a term; null if no public post has it. */
  async ofTerm(term: TermAddress, format: TermFeed): Promise<string | null> {
    const found = await this.terms.findLatest(term, FEED_LENGTH);
    if (found === null) return null;
    const site = this.site.current;
    const link = this.url(toTermPath(term));
    return await this.write(format, found.posts, {
      title: toFeedText(`${headingOf(term.kind, found.name)} | ${site.name}`),
      description: toFeedText(describeTerm(term.kind, found.name, site.name)),
      id: link,
      link,
      feedLinks: { rss: this.url(toTermFeedPath(term, 'rss.xml')), json: this.url(toTermFeedPath(term, 'feed.json')) },
    });
  }

  /** Lets crawlers in everywhere but where only programs and administrators go. */
  robots(): string {
    return `User-agent: *\nDisallow: /api/\nDisallow: /admin/\n\nSitemap: ${this.url(paths.sitemap)}\n`;
  }

  private async ofSite(format: TermFeed): Promise<string> {
    const posts = await this.posts.listLatestPublished(FEED_LENGTH);
    const { site, texts } = this.site.now;
    const { title, lede } = { ...blogsTexts.defaults, ...texts.edits.blogs };
    const facts = toCompanyValues(site);
    return await this.write(format, posts, {
      title: toFeedText(`${site.name}: ${fillText(title, facts)}`),
      description: toFeedText(fillText(lede, facts)),
      id: this.url(paths.blogs),
      link: this.url(paths.blogs),
      feedLinks: { rss: this.url(paths.rss), json: this.url(paths.jsonFeed) },
    });
  }

  private async write(
    format: TermFeed,
    posts: readonly FeedPost[],
    facts: Omit<FeedOptions, 'copyright' | 'language' | 'updated'>,
  ): Promise<string> {
    const firstSlugs = await this.posts.findFirstSlugs(posts.map(({ id }) => id));
    const feed = new Feed({
      ...facts,
      language: 'en-US',
      copyright: toFeedText(`© ${this.site.current.legalName}`),
      ...(posts.length > 0 ? { updated: changedLast(posts) } : {}),
    });
    for (const post of posts) feed.addItem(this.toItem(post, firstSlugs.get(post.id) ?? post.slug, format));
    return format === 'rss.xml' ? feed.rss2() : feed.json1();
  }

  private toEntry(path: string, changedAt: string | undefined, image: string | null): string {
    const changed = changedAt === undefined ? '' : `<lastmod>${changedAt}</lastmod>`;
    const shown = image === null ? '' : `<image:image><image:loc>${this.escapedUrl(image)}</image:loc></image:image>`;
    return `<url><loc>${this.escapedUrl(path)}</loc>${changed}${shown}</url>`;
  }

  /** @param firstSlug names the item for ever: readers of feeds show an item with another name as a new one (decision 130) */
  private toItem(post: FeedPost, firstSlug: string, format: TermFeed) {
    const { author, category, tags } = post;
    const link = this.url(paths.blog(post.slug));
    return {
      title: toFeedText(post.title),
      id: this.url(paths.blog(firstSlug)),
      link,
      published: new Date(post.published_date),
      date: new Date(post.updated_at),
      description: toFeedText(post.excerpt ?? ''),
      content: toFeedContent(post.content, this.url('/'), link),
      // RSS 2.0 knows authors by mail addresses only, and names by this element of Dublin Core.
      ...(format === 'rss.xml'
        ? { extensions: [{ name: 'dc:creator', objects: { _text: author } }] }
        : { author: [{ name: author }] }),
      ...this.toEnclosure(post.share_image),
      category: [...new Set([category, ...(tags ?? [])])].flatMap((name) => (name ? [{ name }] : [])),
    };
  }

  /** Feed readers show it beside the title. Its length in bytes is not known, for which readers take 0. */
  private toEnclosure(image: ShareImage | null) {
    const [, extension] = /\.(avif|gif|jpg|png|webp)$/.exec(image?.src ?? '') ?? [];
    if (!image || extension === undefined) return {};
    return { image: { url: this.url(image.src), type: contentTypeOf(extension as MediaExtension) } };
  }

  /** The drawn share image of a page; pages of the archive have none of their own. */
  private imageOf(path: string): string | null {
    const { shareStamp } = this.site.current;
    if (!paths.listed.some((listed) => listed === path)) return null;
    return shareStamp && toShareImagePath({ subject: sharedPageOf(path), digest: shareStamp });
  }

  private url(path: string): string {
    return new URL(path, `${this.site.current.url}/`).href;
  }

  private escapedUrl(path: string): string {
    return this.url(path).replaceAll('&', '&amp;');
  }
}

/**
 * The moment at which something in a feed was published or changed last: programs may leave a feed alone until then. The date
 * that readers see says nothing of it, as an author may choose one that is years ahead.
 */
function changedLast(posts: readonly FeedPost[]): Date {
  return new Date(Math.max(...posts.map(({ updated_at }) => Date.parse(updated_at))));
}
