/** The largest request that writes a post, in bytes. */
export const POST_REQUEST_MAX_BYTES = 4 * 1024 * 1024;

/** The largest request that tells of a read, in bytes: everybody may make one, and it names a post and a host. */
export const READ_REQUEST_MAX_BYTES = 16 * 1024;

/** The largest image accepted, in bytes: an image must be smaller, so this size is refused (product.md 5.6). */
export const IMAGE_MAX_BYTES = 5 * 1024 * 1024;

/** The largest file of sound or film that an import takes, in bytes. */
export const PLAYABLE_MAX_BYTES = 200 * 1024 * 1024;

/** The largest file of captions that an import takes, in bytes: those of a long film have less than a tenth. */
export const CAPTIONS_MAX_BYTES = 1024 * 1024;

/** Limits of an enquiry's fields in characters: far above what a person writes (product.md 5.1). */
export const ENQUIRY_LIMITS = { name: 200, message: 20_000 } as const;

/** Limits of what administrators write about an enquiry, in characters. */
export const ENQUIRY_TEXT_LIMITS = { note: 10_000, answer: 10_000, savedAnswerName: 100 } as const;

/** How long the contact form is on the screen before it sends, in milliseconds: programs are faster than people. */
export const ENQUIRY_MIN_MS = 1500;

/** Digits of a mailed code, as AUTH_OTP_LENGTH can be set. */
export const CODE_DIGITS = { min: 6, max: 10 } as const;

/** The shortest password accepted, in characters (product.md 5.2). */
export const PASSWORD_MIN_LENGTH = 6;

/** Characters of the name of a person with an account. */
export const ACCOUNT_NAME_MAX = 200;

/** The words that somebody types before their account is deleted. */
export const DELETION_WORDS = 'delete my account';

/** Characters of the name of a file that are kept. */
export const FILE_NAME_MAX = 255;

/** Characters of an alternative text. */
export const ALTERNATIVE_TEXT_MAX = 2000;

/** Redirects that lead on from one address, as they are followed and as they may be recorded: nobody waits for more. */
export const REDIRECT_HOPS_MAX = 10;

/** Characters of a search. */
export const SEARCH_MAX = 200;
