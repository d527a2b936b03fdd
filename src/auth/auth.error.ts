import { HttpException } from '@nestjs/common';

/** Members of an error answer beside code and message. */
export type ErrorExtras = Readonly<Record<string, unknown>>;

/**
 * An error answer of the API of accounts: E(status, code, message) in auth-api.md. Elsewhere it is answered like any
 * HttpException.
 */
export class AuthError extends HttpException {
  constructor(
    status: number,
    readonly code: string,
    message: string,
    readonly extras: ErrorExtras = {},
    /** Seconds, for the header Retry-After. */
    readonly retryAfter?: number,
  ) {
    super({ code, message }, status);
    this.message = message;
  }
}

/** An answer in the shape of OAuth (RFC 6749, section 5.2), which a few grants give. */
export class OAuthError extends AuthError {
  constructor(
    readonly error: string,
    readonly description: string,
  ) {
    super(400, error, description);
  }
}

/** E(400, validation_failed). */
export function invalid(message: string): AuthError {
  return new AuthError(400, 'validation_failed', message);
}

/** E(400, bad_json). */
export function badJson(detail: string): AuthError {
  return new AuthError(400, 'bad_json', `Could not parse request body as JSON: ${detail}`);
}

/** E(429, over_request_rate_limit). @param retryAfter in seconds */
export function tooManyRequests(retryAfter: number): AuthError {
  return new AuthError(429, 'over_request_rate_limit', 'Request rate limit reached', {}, retryAfter);
}

/** E(404, not_found). */
export function notFound(): AuthError {
  return new AuthError(404, 'not_found', 'There is nothing at this address');
}
