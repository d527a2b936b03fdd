import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ForeignKeyConstraintViolationException } from '@mikro-orm/core';
import { catchError, type Observable } from 'rxjs';
import { AccessGuard } from './access.guard.js';

/**
 * Refuses a call whose account was deleted after it was admitted: what it writes names the account, which the database
 * no longer knows. It is answered like any call that comes later, and nothing of it was stored.
 */
@Injectable()
export class LateRefusalInterceptor implements NestInterceptor {
  constructor(private readonly guard: AccessGuard) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        // Whoever is still admitted meets the error itself: it is a mistake of ours.
        if (error instanceof ForeignKeyConstraintViolationException) await this.guard.canActivate(context);
        throw error;
      }),
    );
  }
}
