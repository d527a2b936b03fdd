import type { ArchivePlace } from './contracts/blog-list.js';
import { sitePaths } from './site-pages.js';

/** A year of the archive, a month of it, or a further part of that month. */
type ArchiveParts = Pick<ArchivePlace, 'year'> & Partial<ArchivePlace>;

/** Every address of the site, built in one place. */
export const paths = {
  ...sitePaths,
  /** The addresses of the pages that everybody may find. */
  listed: Object.values(sitePaths),
  contactSent: '/contact/sent',
  blog: (slug: string) => `/blogs/${encodeURIComponent(slug)}`,
  archive: (place: ArchiveParts) => `/blogs/archive/${toArchivePath(place)}`,
  auth: '/auth',
  authRecover: '/auth/recover',
  authConfirm: '/auth/confirm',
  authCode: '/auth/code',
  authNewPassword: '/auth/new-password',
  account: '/account',
  admin: {
    blogs: '/admin/blogs',
    newBlog: '/admin/blogs/new',
    blog: (id: string) => `/admin/blogs/edit/${encodeURIComponent(id)}`,
    trash: '/admin/blogs?state=trashed',
    revisions: (id: string) => `/admin/blogs/edit/${encodeURIComponent(id)}/revisions`,
    media: '/admin/media',
    terms: '/admin/terms',
    links: '/admin/links',
    reads: '/admin/reads',
    comments: '/admin/comments',
    enquiries: '/admin/enquiries',
    enquiry: (id: string) => `/admin/enquiries/${encodeURIComponent(id)}`,
    people: '/admin/people',
    company: '/admin/company',
    pages: '/admin/pages',
    pageTexts: (page: string) => `/admin/pages/${encodeURIComponent(page)}`,
    audit: '/admin/audit',
    /** Pages with the draft of a document of settings: what follows is the address of the page. */
    sitePreview: (document: string) => `/admin/preview/${document}`,
  },
  preview: (token: string) => `/preview/${encodeURIComponent(token)}`,
  /** The page of the search; with words, of what it finds. */
  search: (query = '') => (query === '' ? '/search' : `/search?q=${encodeURIComponent(query)}`),
  rss: '/rss.xml',
  jsonFeed: '/feed.json',
  sitemap: '/sitemap.xml',
  /** The file that pages name; the others are among {@link filePaths}. */
  files: { manifest: '/site.webmanifest' },
  api: {
    posts: '/api/posts',
    post: (slug: string) => `/api/posts/${encodeURIComponent(slug)}`,
    blog: '/api/blog',
    search: (query: string) => `/api/search?q=${encodeURIComponent(query)}`,
    contact: '/api/contact',
    reads: '/api/reads',
    me: '/api/me',
    sessions: '/api/account/sessions',
    accountExport: '/api/account/export',
    accountDeletion: '/api/account/deletion',
    session: (id: string) => `/api/account/sessions/${encodeURIComponent(id)}`,
    uploads: '/api/uploads',
    remoteUploads: '/api/uploads/remote',
    preview: (token: string) => `/api/previews/${encodeURIComponent(token)}`,
  },
} as const;

/** Files for browsers and other programs, which look for some of them without being told. Pages need not load these names. */
export const filePaths = {
  favicon: '/favicon.ico',
  touchIcon: '/apple-touch-icon.png',
  manifest: paths.files.manifest,
  security: '/.well-known/security.txt',
} as const;

/** The part of the style sheet that the company's own look is; pages name it where they name files. */
export const SITE_STYLE_PATH = '/look/';
/** @param digest of the text */
export const toSiteStylePath = (digest: string) => `${SITE_STYLE_PATH}${digest}.css`;

/** The setup of a new site; its steps are `/setup/account` and so on. Pages need not load it. */
export const SETUP_PATH = '/setup';

/** The file by which search engines know that the key of their pings is ours (IndexNow). */
export const keyFilePath = (key: string) => `/${key}.txt`;

/** The first part of a month is the page of the month itself. */
function toArchivePath({ year, month = null, part = 1 }: ArchiveParts): string {
  return [year, ...(month === null ? [] : [month, ...(part === 1 ? [] : [part])])].join('/');
}

/** Reads the parts of an archive's address; null unless it is spelled as `paths.archive` spells it. */
export function toArchivePlace(year: string, month?: string, part?: string): ArchivePlace | null {
  const isSpelled =
    /^\d{4}$/.test(year) &&
    (month === undefined || /^(?:0[1-9]|1[0-2])$/.test(month)) &&
    (part === undefined || (month !== undefined && /^(?:[2-9]|[1-9]\d{1,3})$/.test(part)));
  return isSpelled ? { year, month: month ?? null, part: Number(part ?? 1) } : null;
}
