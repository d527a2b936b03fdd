import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { tap, type Observable } from 'rxjs';
import { KnownDevicesService } from './known-devices.service.js';
import type { TokenResponse } from '../sessions/sessions.service.js';

/** Gives every device that gets tokens the cookie by which it is known again. */
@Injectable()
export class KnownDeviceInterceptor implements NestInterceptor {
  constructor(private readonly devices: KnownDevicesService) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    return next.handle().pipe(
      tap((answer) => {
        const { authCaller } = http.getRequest<FastifyRequest>();
        if (!isTokenResponse(answer) || authCaller === undefined) return;
        const cookie = this.devices.cookieFor(authCaller, String(answer.user['id']));
        http.getResponse<FastifyReply>().header('set-cookie', cookie);
      }),
    );
  }
}

function isTokenResponse(answer: unknown): answer is TokenResponse {
  return typeof answer === 'object' && answer !== null && 'refresh_token' in answer;
}
