import { ForbiddenException, UnauthorizedException } from '@nestjs/common';

/** Describes the refusals of {@link NoAuthorizationException} and {@link SecondFactorMissingException}. */
export const UNAUTHORIZED =
  '`no_authorization`: the access token is missing or no longer valid; ' +
  '`insufficient_aal`: the account has a second factor, which the session lacks';

/** The request carries no valid access token. */
export class NoAuthorizationException extends UnauthorizedException {
  constructor() {
    super({ code: 'no_authorization', message: 'This address requires a valid access token.' });
  }
}

/** The session lacks the second factor of its account. */
export class SecondFactorMissingException extends UnauthorizedException {
  constructor() {
    super({ code: 'insufficient_aal', message: 'This session lacks the second factor of its account.' });
  }
}

/** The administrator or author showed no second factor, and has none to show (decision 71). */
export class AdminFactorMissingException extends ForbiddenException {
  constructor() {
    super({
      code: 'second_factor_required',
      message: 'The admin area of this site asks for a second factor: add one to your account first.',
    });
  }
}

/** The user who is signed in is no administrator (product.md 6). */
export class NotAdminException extends ForbiddenException {
  constructor() {
    super({ code: 'not_admin', message: 'You must be an admin to access this page.' });
  }
}

/** A route that does not say who may use it. */
export class ClosedRouteException extends ForbiddenException {
  constructor() {
    super({ code: 'forbidden', message: 'This address is not open to you.' });
  }
}
