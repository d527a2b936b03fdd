import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard, AuthModuleOptions } from '@nestjs/passport';
import type { FastifyReply } from 'fastify';
import {
  AdminFactorMissingException,
  ClosedRouteException,
  NoAuthorizationException,
  NotAdminException,
} from './access.errors.js';
import { CONFIG, type Config } from '../config/config.js';
import { ADMIN_READER, type AdminReader } from './admin-reader.js';
import { ACCESS, type Access } from './public.decorator.js';
import { userOf } from './signed-in-user.js';

/**
 * Refuses every route that does not declare its access, and every user whom it does not admit. The strategy of the
 * application says who asks (src/auth). Session and role are read at every call, so that a revoked one is gone at once.
 */
@Injectable()
export class AccessGuard extends AuthGuard() {
  constructor(
    options: AuthModuleOptions,
    private readonly reflector: Reflector,
    @Inject(ADMIN_READER) private readonly admins: AdminReader,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    super(options);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, targets);
    switch (access) {
      case 'public':
        return true;
      // The decorator that declares it brings a guard of its own, for tokens that name nobody.
      case 'service-role':
        return true;
      case 'signed-in':
        await super.canActivate(context);
        return true;
      case 'author':
      case 'admin': {
        await super.canActivate(context);
        const user = userOf(context.switchToHttp().getRequest());
        const role = await this.admins.findRole(user.id);
        if (role !== 'admin' && !(role === 'author' && access === 'author')) throw new NotAdminException();
        // Those who have one were asked for it by the strategy.
        if (this.config.auth.mfa.isRequiredOfAdmins && user.aal !== 'aal2') throw new AdminFactorMissingException();
        return true;
      }
      case undefined:
        throw new ClosedRouteException();
    }
  }

  /**
   * Returns the user, whom passport keeps in the request.
   * @throws the error that kept the strategy from its answer, such as of a database that is away
   */
  override handleRequest<TUser>(error: Error | null, user: TUser, _info: unknown, context: ExecutionContext): TUser {
    if (error) throw error;
    if (user) return user;
    context.switchToHttp().getResponse<FastifyReply>().header('www-authenticate', 'Bearer');
    throw new NoAuthorizationException();
  }
}
