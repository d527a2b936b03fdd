import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The user who makes a request. */
export interface SignedInUser {
  readonly id: string;
  /** Null for accounts without one. */
  readonly email: string | null;
  readonly sessionId: string;
  /** aal2 when a second factor was shown in this session. */
  readonly aal: 'aal1' | 'aal2';
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard, where it asked: see {@link userOf}. */
    user?: SignedInUser;
  }
}

/**
 * Returns the user who makes a request.
 * @throws Error on routes that are neither `@SignedIn()`, `@Author()` nor `@Admin()`
 */
export function userOf(request: FastifyRequest): SignedInUser {
  const { user } = request;
  if (user === undefined)
    throw new Error('Only routes that are @SignedIn(), @Author() or @Admin() know who makes a request');
  return user;
}

/** Hands a handler the {@link SignedInUser}. For routes that are signed-in or admin: others know nobody. */
export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): SignedInUser =>
  userOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
