// How long the product waits for what can hang, as far as several parts go by it or operators meet it: milliseconds, unless
// the name says otherwise. What a single file goes by stands there.

/** Opening a connection to the database. Waiting for a free one of the pool may take all the time there is. */
export const DATABASE_CONNECT_MS = 2_000;
/** The same for commands that work without the application: backups, restores, migrations. */
export const DATABASE_COMMAND_CONNECT_MS = 10_000;
/** One statement of a request, and all database time of a request together, connecting included. */
export const DATABASE_REQUEST_MS = 5_000;
/**
 * The same for a change of very many posts, such as a renamed tag: less than the 30 s for which whoever asked waits, as what
 * the server itself computes comes on top.
 */
export const DATABASE_LARGE_CHANGE_MS = 25_000;
/** One statement of the command line: imports and bulk changes are large, and an operator watches. */
export const DATABASE_COMMAND_MS = 10 * 60_000;
/** One statement of the work that servers do on their own: mails, schedules, upkeep. */
export const DATABASE_JOB_MS = 60_000;
/** One statement of the job queue itself: fetching, finishing and cleaning up. */
export const DATABASE_JOB_QUEUE_MS = 15_000;
/** Waiting for a lock that another transaction holds. */
export const DATABASE_LOCK_MS = 3_000;
/** A transaction in which nothing is asked for. */
export const DATABASE_IDLE_IN_TRANSACTION_MS = 10_000;

/** One call to the bucket, with all its retries, until the answer begins. */
export const S3_CALL_MS = 10_000;
/** A body to or from the bucket of which no byte moves. */
export const S3_IDLE_MS = 10_000;

/** The silence of a mail server that has something to say at once: connecting, its greeting, and each answer. */
export const SMTP_STEP_MS = 10_000;
/**
 * Its silence after the content of a mail, which filters look at meanwhile. Who gives up sooner sends a mail again that
 * was taken, at every attempt; who waits longer keeps other mails waiting for a server that hangs (decision 139).
 */
export const SMTP_VERDICT_MS = 60_000;
/** The job of a mail, in seconds: longer than all steps of its conversation, or it would be done twice at once. */
export const MAIL_JOB_SECONDS = 4 * 60;

/** How long a mail may wait for its turn, in seconds, when those of the hour are used up, before it is refused instead. */
export const MAIL_TURN_SECONDS = 15 * 60;

/** One call to the provider that people sign in with; all calls for one sign-in together. */
export const PROVIDER_CALL_MS = 5_000;
export const PROVIDER_SIGN_IN_MS = 8_000;

/** Telling search engines of changed addresses, until they answer. */
export const SEARCH_PING_MS = 10_000;

/** One message to another system, until it answers. */
export const WEBHOOK_MS = 10_000;

/** The head of a request, and the first word on a connection that was opened ahead. */
export const HEADERS_MS = 10_000;
/** The body of a request that is no file. */
export const BODY_MS = 10_000;
/** An upload as a whole, and how long no byte of it may arrive. */
export const UPLOAD_MS = 5 * 60_000;
export const UPLOAD_IDLE_MS = 10_000;
/** Decoding and encoding one image, where nobody waits for the answer: imports, repairs. For uploads, UPLOAD_SECONDS. */
export const IMAGE_MS = 30_000;
/** An answer of which its reader takes no byte. As a whole it may take as long as it likes. */
export const READER_IDLE_MS = 120_000;

/** Waits of a scrape of the metrics: for the lengths of the queues, and for each worker. */
export const QUEUE_READ_MS = 1_000;
export const WORKER_SCRAPE_MS = 2_000;

/** The pause that a client should make after a 503, in whole seconds. */
export const RETRY_AFTER_SECONDS = 5;
/** From the first signal to the end of the process, `SHUTDOWN_DELAY` included, even if something hangs. */
export const SHUTDOWN_MS = 25_000;
/** After the delay: the time for requests and jobs in progress, from the moment that no new ones are taken. */
export const DRAIN_MS = 8_000;
/** After that: the time for closing connections to other services. */
export const RELEASE_MS = 3_000;
/** After that: the time for stopping an embedded database; in the last second it is forced to stop. */
export const DATABASE_STOP_MS = 3_000;
/** The rest of `SHUTDOWN_MS`, for `SHUTDOWN_DELAY`, in whole seconds. */
export const SHUTDOWN_DELAY_MAX_SECONDS = 10;
