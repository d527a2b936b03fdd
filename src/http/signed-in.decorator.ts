import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiUnauthorizedResponse } from '@nestjs/swagger';
import { ACCESS, type Access } from './public.decorator.js';
import { UNAUTHORIZED } from './access.errors.js';

/** Opens a route, or all routes of a controller, to everyone with a session. */
export const SignedIn = () =>
  applyDecorators(
    SetMetadata(ACCESS, 'signed-in' satisfies Access),
    ApiBearerAuth(),
    ApiUnauthorizedResponse({ description: UNAUTHORIZED }),
  );
