import { Inject, Injectable } from '@nestjs/common';
import { Feed } from 'feed';
import { CONFIG, type Config } from '../config/config.js';
import { BlogListService } from '../posts/blog-list.service.js';
import { PostsService } from '../posts/posts.service.js';
import type { PostDetail, ShareImage } from '../shared/contracts/posts.js';
import { contentTypeOf, type MediaExtension } from '../shared/media.js';
import { paths } from '../shared/paths.js';
import { sharedPageOf, toShareImagePath } from '../shared/share-images.js';
import { toFeedContent, toFeedText } from './feed-content.js';

/** Posts in the feed with their text; feed readers keep older ones. */
const FEED_LENGTH = 30;

/** Writes the sitemap, the RSS feed and robots.txt. All of them contain published posts only. */
@Injectable()
export class FeedsService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly posts: PostsService,
    private readonly lists: BlogListService,
  ) {}

  /** sitemaps.org 0.9, with the images of pages and posts. The blog list is as new as the post that was changed last. */
  async sitemap(): Promise<string> {
    const posts = await this.posts.listPublishedAddresses();
    const archive = (await this.lists.listPlaces()).map((place) => paths.archive(place));
    const changed = posts.map(({ updatedAt }) => updatedAt.toISOString()).sort();
    const entries = [
      ...[...paths.listed, ...archive].map((path) =>
        this.toEntry(path, path === paths.blogs ? changed.at(-1) : undefined, this.imageOf(path)),
      ),
      ...posts.map(({ slug, updatedAt, image }) =>
        this.toEntry(paths.blog(slug), updatedAt.toISOString(), image?.src ?? null),
      ),
    ];
    return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
${entries.join('\n')}
</urlset>
`;
  }

  /** RSS 2.0 with the posts' full text. */
  async rss(): Promise<string> {
    return (await this.feed()).rss2();
  }

  /** JSON Feed 1.0 with the same. */
  async json(): Promise<string> {
    return (await this.feed()).json1();
  }

  /** Lets crawlers in everywhere but where only programs and administrators go. */
  robots(): string {
    return `User-agent: *\nDisallow: /api/\nDisallow: /admin/\n\nSitemap: ${this.url(paths.sitemap)}\n`;
  }

  private async feed(): Promise<Feed> {
    const { site } = this.config;
    const posts = await this.posts.listLatestPublished(FEED_LENGTH);
    const feed = new Feed({
      title: toFeedText(`${site.name}: IT & Tech Blog`),
      description: 'Stay updated with the latest IT news, tech tips, and industry insights',
      id: this.url(paths.blogs),
      link: this.url(paths.blogs),
      language: 'en-US',
      copyright: `© ${site.legalName}`,
      feedLinks: { rss: this.url(paths.rss), json: this.url(paths.jsonFeed) },
      ...(posts[0] ? { updated: new Date(posts[0].published_date) } : {}),
    });
    for (const post of posts) feed.addItem(this.toItem(post));
    return feed;
  }

  private toEntry(path: string, changedAt: string | undefined, image: string | null): string {
    const changed = changedAt === undefined ? '' : `<lastmod>${changedAt}</lastmod>`;
    const shown = image === null ? '' : `<image:image><image:loc>${this.escapedUrl(image)}</image:loc></image:image>`;
    return `<url><loc>${this.escapedUrl(path)}</loc>${changed}${shown}</url>`;
  }

  private toItem(post: PostDetail) {
    const link = this.url(paths.blog(post.slug));
    return {
      title: toFeedText(post.title),
      id: link,
      link,
      date: new Date(post.published_date),
      description: toFeedText(post.excerpt ?? ''),
      content: toFeedContent(post.content, this.url('/')),
      author: [{ name: post.author }],
      ...this.toEnclosure(post.share_image),
      category: [post.category, ...(post.tags ?? [])].flatMap((name) => (name ? [{ name }] : [])),
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
    const { shareStamp } = this.config.site;
    if (!paths.listed.some((listed) => listed === path)) return null;
    return shareStamp && toShareImagePath({ subject: sharedPageOf(path), digest: shareStamp });
  }

  private url(path: string): string {
    return new URL(path, `${this.config.site.url}/`).href;
  }

  private escapedUrl(path: string): string {
    return this.url(path).replaceAll('&', '&amp;');
  }
}
