/** Limits of a post's fields in characters (specification section 5). */
export const POST_LIMITS = { title: 200, slug: 200, excerpt: 500, author: 100, category: 50, imageAlt: 2000 } as const;

/** The largest request that writes a post, in bytes. */
export const POST_REQUEST_MAX_BYTES = 4 * 1024 * 1024;

/** The largest image accepted, in bytes: "must be under 5 MB" (specification section 5), so this size is refused. */
export const IMAGE_MAX_BYTES = 5 * 1024 * 1024;

/** Limits of an enquiry's fields in characters: far above what a person writes, as the specification names none. */
export const ENQUIRY_LIMITS = { name: 200, message: 20_000 } as const;

/** How long the contact form is on the screen before it sends, in milliseconds: programs are faster than people. */
export const ENQUIRY_MIN_MS = 1500;

/** The shortest password accepted, in characters (specification section 9). */
export const PASSWORD_MIN_LENGTH = 6;
