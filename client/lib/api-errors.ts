import { LostPartError } from './lost-part.js';

/** Problems with the fields of a request, by field. */
export type ApiFields = Readonly<Record<string, readonly string[]>>;

/** A refusal of the API, with its code and its sentence. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    /** Stable, for programs, such as `post_changed`. */
    readonly code: string,
    message: string,
    readonly fields: ApiFields,
    /** The whole answer, where a code brings more than a message. */
    readonly body: unknown,
  ) {
    super(message);
  }
}

/** Nobody is signed in any more, and nobody wanted to sign in again when asked. */
export class SessionExpiredError extends Error {
  override readonly name = 'SessionExpiredError';
  override readonly message = 'You have been signed out. Sign in again to go on.';
}

const UNREACHABLE = {
  connection: 'The server could not be reached. Check your connection and try again.',
  server: 'The server does not answer just now; your connection is fine. Try again in a moment.',
} as const;

/** The words for data that the library asks for once the browser has a network again. */
export const OFFLINE = 'You are offline. It loads as soon as the connection is back.';

/** No answer of the product came: the network is down, or the server is. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';

  /** @param where what is down: `server` where something between here and there has answered in its place */
  constructor(where: keyof typeof UNREACHABLE = 'connection', options?: ErrorOptions) {
    super(UNREACHABLE[where], options);
  }
}

/** The words for the limit of a proxy, which is another one than ours. */
const TOO_LARGE =
  'That is larger than what a server in front of the site lets through. Whoever looks after the site can raise its limit.';

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly fields?: ApiFields;
}

function isErrorBody(body: unknown): body is ErrorBody {
  return (
    typeof body === 'object' && body !== null && 'message' in body && 'code' in body && typeof body.code === 'string'
  );
}

/**
 * The error that an answer of the API means. A body that is not of the API came from something in between, which says
 * nothing of what is asked for: the API may answer another time.
 */
export function toApiError(status: number, body: unknown): ApiError | UnreachableError {
  if (isErrorBody(body)) return new ApiError(status, body.code, body.message, body.fields ?? {}, body);
  // Not all of the request has come through to a proxy in the time that it waits.
  if (status === 408) return new UnreachableError();
  if (status !== 413 && status !== 500) return new UnreachableError('server');
  const message = status === 413 ? TOO_LARGE : 'Something went wrong on our side.';
  return new ApiError(status, 'unexpected_failure', message, {}, body);
}

/**
 * Returns true when the API refused because the user is no administrator (any more). The admin area then sends the user
 * away.
 */
export function isAccessDenied(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not_admin';
}

/** Returns true when the API says that what was to be changed is not there any more: its row is about to leave the page. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Returns true for an error that the admin area reports by itself, in one place: an ended session, a lost role. */
export function isToldElsewhere(error: unknown): boolean {
  return error instanceof SessionExpiredError || isAccessDenied(error);
}

/** Describes a failure for people, in the server's own words where the server answered. */
export function describeError(error: unknown): string {
  const isKnown = [ApiError, SessionExpiredError, UnreachableError, LostPartError].some(
    (kind) => error instanceof kind,
  );
  return isKnown ? (error as Error).message : 'Something went wrong. Please try again.';
}
