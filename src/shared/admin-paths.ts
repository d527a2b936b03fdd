/** The addresses of the admin area's API. Pages of visitors do not load them. */
export const adminPaths = {
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
  comments: '/api/admin/comments',
  comment: (postId: string, id: string) =>
    `/api/admin/comments/${encodeURIComponent(postId)}/${encodeURIComponent(id)}`,
  settings,
  settingsDraft: (document: string) => `${settings(document)}/draft`,
  settingsPublication: (document: string) => `${settings(document)}/publication`,
  settingsPreview: (document: string) => `${settings(document)}/preview`,
  settingsVersions: (document: string) => `${settings(document)}/versions`,
  settingsRestore: (document: string, version: number) => `${settings(document)}/versions/${version}/restore`,
} as const;

function adminPost(id: string): string {
  return `/api/admin/posts/${encodeURIComponent(id)}`;
}

function adminEnquiry(id: string): string {
  return `/api/admin/enquiries/${encodeURIComponent(id)}`;
}

function settings(document: string): string {
  return `/api/admin/settings/${encodeURIComponent(document)}`;
}
