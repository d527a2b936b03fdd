import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { throwError, timeout, type Observable } from 'rxjs';
import { BODY_MS } from '../../config/time-limits.js';
import { timedOut } from './error-envelope.js';

/** Answers E(504, request_timeout) after ten seconds, the arrival of the body included (auth-api.md 1.1). */
@Injectable()
export class DeadlineInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { authBegunAt = performance.now() } = context.switchToHttp().getRequest<FastifyRequest>();
    const left = Math.max(0, authBegunAt + BODY_MS - performance.now());
    return next.handle().pipe(timeout({ each: left, with: () => throwError(timedOut) }));
  }
}
