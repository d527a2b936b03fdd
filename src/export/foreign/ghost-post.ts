import { decodeEscapes } from '../../shared/decode-escapes.js';
import { MEDIA_PATH } from '../../shared/media.js';
import { parsePlayableName } from '../../shared/media-files.js';
import { findHeadingIds } from '../../posts/content/find-anchors.js';
import { escapeText } from '../../posts/content/markup-tree.js';
import type { OwnAddresses } from '../../posts/content/remote-images.js';
import type { ImageAddresses } from '../content-markdown.js';
import type { ExportedPost, ExportedRow } from '../exported-post.js';
import { findFieldLosses } from './field-losses.js';
import { toGhostContent } from './ghost-content.js';
import { stateOf } from './post-state.js';
import type { SiteTerms } from './site-terms.js';

/** Facts of the site that posts need. */
export interface GhostSite {
  /** Address without a slash at its end. */
  readonly url: string;
  readonly terms: SiteTerms;
  readonly own: OwnAddresses;
  readonly now: Date;
}

/** The rows of Ghost's tables for one post. */
export interface GhostRows {
  readonly posts: readonly object[];
  readonly posts_meta: readonly object[];
  readonly posts_tags: readonly object[];
  readonly posts_authors: readonly object[];
  readonly losses: readonly string[];
}

/** Stands for the address of the site that imports. */
const SITE_MARK = '__GHOST_URL__';
/** Lengths that Ghost accepts; it refuses posts with longer texts. */
const LIMITS = { excerpt: 300, alt: 191, slug: 191, tag: 191 } as const;

/** The folder in which Ghost looks for a file of this name. */
export function ghostPath(name: string): string {
  const kind = parsePlayableName(name)?.kind ?? 'image';
  const folder = kind === 'image' ? 'images' : kind === 'captions' ? 'files' : 'media';
  return `content/${folder}/${name}`;
}

/** The rows of a post, as Ghost's importer takes them. */
export async function toGhostRows({ row }: ExportedPost, images: ImageAddresses, site: GhostSite): Promise<GhostRows> {
  const { id } = row;
  const state = stateOf(row, site.now);
  const fileAt = (address: string) => toFileAddress(address, images, site);
  const content = toGhostContent(row.content, id, {
    fileAt,
    pageAt: (path) => toPageAddress(path, images, site),
    headingIds: await findHeadingIds(row.content, site.own),
  });
  const excerpt = cut(row.excerpt ?? '', LIMITS.excerpt);
  const alt = cut(row.imageAlt ?? '', LIMITS.alt);
  const tags = tagsOf(row);
  return {
    posts: [
      {
        id,
        uuid: id,
        title: row.title,
        slug: [...row.slug].slice(0, LIMITS.slug).join(''),
        html: content.html,
        comment_id: id,
        feature_image: row.imageUrl ? fileAt(row.imageUrl) : null,
        featured: 0,
        type: 'post',
        status: state.status,
        visibility: 'public',
        created_at: row.createdAt.toISOString(),
        updated_at: row.updatedAt.toISOString(),
        published_at: state.date?.toISOString() ?? null,
        custom_excerpt: excerpt || null,
        canonical_url: row.canonicalUrl,
      },
    ],
    posts_meta: [
      {
        post_id: id,
        feature_image_alt: alt || null,
        feature_image_caption: row.imageCaption ? escapeText(row.imageCaption) : null,
        meta_title: row.seoTitle,
        meta_description: row.seoDescription,
        og_image: row.socialImage ? fileAt(row.socialImage) : null,
      },
    ],
    posts_tags: tags.map((tag, index) => ({ post_id: id, tag_id: tagId(tag, site), sort_order: index })),
    posts_authors: [{ post_id: id, author_id: authorId(row.author, site), sort_order: 0 }],
    losses: [...state.losses, ...content.losses, ...lossesOf(row, { excerpt, alt, tags })],
  };
}

/** The rows of all tags. Ghost has no categories: the first tag of a post is the one that readers see with it. */
export function toTagRows(site: GhostSite): object[] {
  return [...site.terms.terms].map(([name, word]) => ({
    id: word,
    name: cut(name, LIMITS.tag),
    slug: word,
    visibility: name.startsWith('#') ? 'internal' : 'public',
  }));
}

/**
 * The rows of all authors. Ghost tells them apart by their mail addresses, which are made up here: those of a name that
 * cannot exist (RFC 2606), as an author here is a name and no account.
 */
export function toUserRows({ terms }: GhostSite): object[] {
  return [...terms.authors].map(([name, word]) => ({
    id: word,
    name,
    slug: word,
    email: `${word}@example.invalid`,
    roles: ['Author'],
  }));
}

/** The tags that a post has there: its category first. */
function tagsOf({ category, tags }: ExportedRow): string[] {
  return [...new Set([...(category ? [category] : []), ...(tags ?? [])])];
}

function tagId(name: string, { terms }: GhostSite): string {
  return terms.terms.get(name) ?? '';
}

function authorId(author: string, { terms }: GhostSite): string {
  return terms.authors.get(author) ?? '';
}

function toFileAddress(address: string, images: ImageAddresses, { url }: GhostSite): string {
  const path = images.get(address);
  if (path !== undefined) return `${SITE_MARK}/${path}`;
  return address.startsWith('/') ? url + address : address;
}

/** Posts are at the root of a site of Ghost; what is not exported is left where it is. */
function toPageAddress(path: string, images: ImageAddresses, site: GhostSite): string {
  if (path.startsWith(MEDIA_PATH)) return toFileAddress(path, images, site);
  const [, written = '', rest = ''] = /^\/blogs\/([^/?#]+)\/?([?#].*)?$/.exec(path) ?? [];
  const slug = decodeEscapes(written);
  return slug !== '' && site.terms.slugs.has(slug)
    ? `${SITE_MARK}/${encodeURIComponent(slug)}/${rest}`
    : site.url + path;
}

function lossesOf(row: ExportedRow, kept: { excerpt: string; alt: string; tags: readonly string[] }): string[] {
  const { category, tags, imageAlt, imageUrl, excerpt, slug } = row;
  const terms = (category ? 1 : 0) + (tags?.length ?? 0);
  return [
    ...findFieldLosses(row),
    ...(imageUrl && imageAlt === '' ? ['that the picture is a decoration'] : []),
    ...(kept.excerpt === (excerpt ?? '') ? [] : [`the end of an excerpt of more than ${LIMITS.excerpt} characters`]),
    ...(kept.alt === (imageAlt ?? '')
      ? []
      : [`the end of a description of a picture of more than ${LIMITS.alt} characters`]),
    ...([...slug].length > LIMITS.slug ? [`the end of a slug of more than ${LIMITS.slug} characters`] : []),
    ...(kept.tags.length < terms ? ['a tag with the name of the category'] : []),
    ...(!category && terms > 0 ? ['that the post has no category: its first tag is shown with it'] : []),
    ...(kept.tags.some((tag) => tag.startsWith('#')) ? ['a tag that begins with #, which is internal there'] : []),
  ];
}

/** The first words that, with an ellipsis, are no longer than the limit. */
function cut(text: string, limit: number): string {
  const signs = [...text];
  if (signs.length <= limit) return text;
  return `${signs
    .slice(0, limit - 1)
    .join('')
    .replace(/\s+\S*$/u, '')}…`;
}
