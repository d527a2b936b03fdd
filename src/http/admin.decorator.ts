import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiForbiddenResponse, ApiUnauthorizedResponse } from '@nestjs/swagger';
import { ACCESS, type Access } from './public.decorator.js';
import { UNAUTHORIZED } from './access.errors.js';

/** Opens a route, or all routes of a controller, to administrators. */
export const Admin = () =>
  applyDecorators(
    SetMetadata(ACCESS, 'admin' satisfies Access),
    ApiBearerAuth(),
    ApiUnauthorizedResponse({ description: UNAUTHORIZED }),
    ApiForbiddenResponse({
      description:
        '`not_admin`: the account has not, or no longer, the role of administrator; ' +
        '`second_factor_required`: administrators need a second factor, and this one has none',
    }),
  );
