import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { readSubmission, type SubmissionFacts } from '../http/submission.decorator.js';
import { TRAP_FIELD } from '../shared/contracts/contact-form.js';
import { ENQUIRY_MIN_MS } from '../shared/limits.js';
import { SuspectedProgramException } from './enquiry.errors.js';

/** Refuses what programs send, before anything is said about its fields. */
@Injectable()
export class PersonGuard implements CanActivate {
  /** @throws SuspectedProgramException */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    assertPerson(request.body, readSubmission(request));
    return true;
  }
}

/** @throws SuspectedProgramException for a body whose trap is filled in, or that was sent sooner than people write */
export function assertPerson(body: unknown, { elapsedMs }: SubmissionFacts): void {
  const trap = (body as Readonly<Record<string, unknown>> | null | undefined)?.[TRAP_FIELD];
  const isTrapped = trap !== undefined && trap !== '';
  const isTooFast = elapsedMs !== undefined && elapsedMs < ENQUIRY_MIN_MS;
  if (isTrapped || isTooFast) throw new SuspectedProgramException();
}
