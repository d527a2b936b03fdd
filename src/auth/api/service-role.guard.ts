import {
  applyDecorators,
  createParamDecorator,
  Injectable,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ACCESS, type Access } from '../../http/public.decorator.js';
import type { Actor } from '../../shared/actor.js';
import { AuthenticationService } from '../tokens/authentication.service.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on calls that administer accounts: whose token it is. */
    authProgram?: Actor;
  }
}

/** Admits tokens of AUTH_ADMIN_ROLES, before anything of the body is looked at. */
@Injectable()
export class ServiceRoleGuard implements CanActivate {
  constructor(private readonly authentication: AuthenticationService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    request.authProgram = await this.authentication.authenticateProgram(request.authCaller?.bearer);
    return true;
  }
}

/** Opens the routes of a controller to programs with a token of AUTH_ADMIN_ROLES, and to nobody else. */
export const ServiceRole = () =>
  applyDecorators(SetMetadata(ACCESS, 'service-role' satisfies Access), UseGuards(ServiceRoleGuard));

/** The parameter of a handler that takes the program that makes the call. */
export const FromProgram = createParamDecorator((_data: unknown, context: ExecutionContext): Actor => {
  const { authProgram } = context.switchToHttp().getRequest<FastifyRequest>();
  if (authProgram === undefined) throw new Error('The route has no guard for programs');
  return authProgram;
});
