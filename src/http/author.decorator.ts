import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiForbiddenResponse, ApiUnauthorizedResponse } from '@nestjs/swagger';
import { ACCESS, type Access } from './public.decorator.js';
import { UNAUTHORIZED } from './access.errors.js';

/**
 * Opens a route, or all routes of a controller, to authors as well as administrators. The service behind it says which
 * posts an author reaches (decision 102).
 */
export const Author = () =>
  applyDecorators(
    SetMetadata(ACCESS, 'author' satisfies Access),
    ApiBearerAuth(),
    ApiUnauthorizedResponse({ description: UNAUTHORIZED }),
    ApiForbiddenResponse({
      description:
        '`not_admin`: the account is, or is no longer, neither administrator nor author; ' +
        '`may_not_publish`: the author may write, and an administrator publishes; ' +
        '`second_factor_required`: a second factor is asked for in the admin area, and this account has none',
    }),
  );
