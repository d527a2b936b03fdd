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
    admin: {
      posts: '/api/admin/posts',
      facets: '/api/admin/posts/facets',
      postCount: '/api/admin/posts/count',
      bulk: '/api/admin/posts/bulk',
      replaceImage: '/api/admin/posts/replace-image',
      post: (id: string) => adminPost(id),
      workingCopy: (id: string) => `${adminPost(id)}/working-copy`,
      publication: (id: string) => `${adminPost(id)}/publication`,
      publicationUndo: (id: string) => `${adminPost(id)}/publication/undo`,
      schedule: (id: string) => `${adminPost(id)}/schedule`,
      duplicate: (id: string) => `${adminPost(id)}/duplicate`,
      presence: (id: string) => `${adminPost(id)}/presence`,
      restore: (id: string) => `${adminPost(id)}/restore`,
      permanently: (id: string) => `${adminPost(id)}/permanently`,
      previewLinks: (id: string) => `${adminPost(id)}/preview-links`,
      previewLink: (id: string, linkId: string) => `${adminPost(id)}/preview-links/${encodeURIComponent(linkId)}`,
      revisions: (id: string) => `${adminPost(id)}/revisions`,
      revision: (id: string, revisionId: string) => `${adminPost(id)}/revisions/${encodeURIComponent(revisionId)}`,
      people: '/api/admin/people',
      webhooks: '/api/admin/webhooks',
      webhookTest: '/api/admin/webhooks/test',
      person: (id: string) => `/api/admin/people/${encodeURIComponent(id)}`,
      owner: (id: string) => `${adminPost(id)}/owner`,
      terms: '/api/admin/terms',
      renameTerm: '/api/admin/terms/rename',
      deadLinks: '/api/admin/links',
      reads: '/api/admin/reads',
      media: '/api/admin/media',
      image: (id: string) => `/api/admin/media/${encodeURIComponent(id)}`,
      enquiries: '/api/admin/enquiries',
      enquiriesExport: '/api/admin/enquiries/export',
      enquiryCounts: '/api/admin/enquiries/counts',
      enquiryAssignees: '/api/admin/enquiries/assignees',
      enquiry: (id: string) => adminEnquiry(id),
      enquiryOpened: (id: string) => `${adminEnquiry(id)}/opened`,
      enquiryResend: (id: string) => `${adminEnquiry(id)}/resend`,
      enquiryAnswer: (id: string, answerId: string) => `${adminEnquiry(id)}/answers/${answerId}`,
      enquiryAnswerResend: (id: string, answerId: string) => `${adminEnquiry(id)}/answers/${answerId}/resend`,
      savedAnswers: '/api/admin/saved-answers',
      savedAnswer: (id: string) => `/api/admin/saved-answers/${id}`,
      audit: '/api/admin/audit',
    },
  },
} as const;

/** Files for browsers and other programs, which look for some of them without being told. Pages need not load these names. */
export const filePaths = {
  favicon: '/favicon.ico',
  touchIcon: '/apple-touch-icon.png',
  manifest: paths.files.manifest,
  security: '/.well-known/security.txt',
} as const;

/** The setup of a new site; its steps are `/setup/account` and so on. Pages need not load it. */
export const SETUP_PATH = '/setup';

/** The file by which search engines know that the key of their pings is ours (IndexNow). */
export const keyFilePath = (key: string) => `/${key}.txt`;

function adminPost(id: string): string {
  return `/api/admin/posts/${encodeURIComponent(id)}`;
}

function adminEnquiry(id: string): string {
  return `/api/admin/enquiries/${encodeURIComponent(id)}`;
}

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
