import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../shared/actor.js';
import { userOf } from './signed-in-user.js';

/** Hands a handler who makes the request, as services want to know it. For routes that are signed-in or admin. */
export const Acting = createParamDecorator((_: unknown, context: ExecutionContext): Actor => ({
  kind: 'user',
  userId: userOf(context.switchToHttp().getRequest<FastifyRequest>()).id,
}));
