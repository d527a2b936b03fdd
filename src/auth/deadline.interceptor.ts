import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { throwError, timeout, type Observable } from 'rxjs';
import { AuthError } from './auth.error.js';

const DEADLINE_MS = 10_000;
const MESSAGE = 'Processing this request timed out, please retry after a moment.';

/** Answers E(504, request_timeout) to what takes longer than ten seconds. */
@Injectable()
export class DeadlineInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const giveUp = () => throwError(() => new AuthError(504, 'request_timeout', MESSAGE));
    return next.handle().pipe(timeout({ each: DEADLINE_MS, with: giveUp }));
  }
}
