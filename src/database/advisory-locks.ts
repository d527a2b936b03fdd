/**
 * Keys of advisory locks in PostgreSQL: by these, processes of one installation take turns. A key belongs to one
 * purpose; two with the same key would wait for each other, or skip their work, without a word. Numbers stay for good:
 * while servers are replaced, those of two releases lock together.
 */
export const ADVISORY_LOCKS = {
  /** Migrations, and those who need the schema to stay as it is meanwhile: backups and restores. */
  migration: 7_217_001,
  /** Slugs of posts that are being written; the second number is a hash of the slug. */
  slug: 7_217_002,
  /** The removal of files that nothing shows. */
  mediaSweep: 7_217_004,
  /** Signing keys that a server accepts; the second number is a hash of the key's id. */
  knownSigningKey: 7_217_005,
  /** The signing key that a server signs with; the second number is a hash of the key's id. */
  usedSigningKey: 7_217_006,
  /** Enquiries that come twice; the second number is a hash of what is the same in them. */
  enquiry: 7_217_009,
  /** Changes of redirects, which are checked as a whole. */
  redirects: 7_217_010,
  /** Texts of the search, made again from posts that changed. */
  searchDocuments: 7_217_011,
  /** Drawing of share images. */
  shareImages: 7_217_012,
  /** Following the links of posts. */
  links: 7_217_013,
  /** Reads of posts, which are counted within limits. */
  reads: 7_217_014,
  /** The search for related posts. */
  relatedPosts: 7_217_015,
  /** Queueing the job that tells search engines of changes. */
  searchPings: 7_217_016,
  /** Imports, of which several may run, and their undoing, beside which none may; the second number is the run's. */
  imports: 7_217_017,
} as const;
