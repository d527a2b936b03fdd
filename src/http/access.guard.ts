import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ClosedRouteException, NoAuthorizationException, NotAdminException } from './access.errors.js';
import { ADMIN_READER, AUTHENTICATOR, type AdminReader, type Authenticator } from './authenticator.js';
import { ACCESS, type Access } from './public.decorator.js';
import { rememberUser, type SignedInUser } from './signed-in-user.js';

/**
 * Refuses every route that does not declare its access, and every user whom it does not admit. Reads session and role
 * at every call, so that a revoked one is gone at once.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    @Inject(AUTHENTICATOR) private readonly authenticator: Authenticator,
    @Inject(ADMIN_READER) private readonly admins: AdminReader,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, targets);
    switch (access) {
      case 'public':
        return true;
      case 'signed-in':
        await this.signIn(context);
        return true;
      case 'admin': {
        const user = await this.signIn(context);
        if (await this.admins.isAdmin(user.id)) return true;
        throw new NotAdminException();
      }
      case undefined:
        throw new ClosedRouteException();
    }
  }

  private async signIn(context: ExecutionContext): Promise<SignedInUser> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const token = bearerOf(request.headers.authorization);
    const user = token === null ? null : await this.authenticator.authenticate(token);
    if (user === null) {
      http.getResponse<FastifyReply>().header('www-authenticate', 'Bearer');
      throw new NoAuthorizationException();
    }
    rememberUser(request, user);
    return user;
  }
}

/** The token of an Authorization header; the scheme is compared without regard to case (RFC 9110, section 11.1). */
function bearerOf(header: string | undefined): string | null {
  return /^bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? null;
}
