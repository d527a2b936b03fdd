import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ELAPSED_HEADER, IDEMPOTENCY_HEADER } from '../shared/contracts/contact-form.js';

/** The facts about a form that was sent, beside what was typed. */
export interface SubmissionFacts {
  /** The client's address. */
  readonly ip: string;
  /** One per filling of the form; undefined where there are no scripts. */
  readonly key: string | undefined;
  /** For how long the form was on the screen, in milliseconds; undefined where there are no scripts. */
  readonly elapsedMs: number | undefined;
}

/** A longer key is no key of ours; cut, it is still the same at every try. */
const KEY_LENGTH = 200;

/** Reads the {@link SubmissionFacts} from a request. */
export function readSubmission({ headers, clientAddress }: FastifyRequest): SubmissionFacts {
  const headerOf = (name: string) => [headers[name]].flat()[0]?.trim() || undefined;
  const elapsed = headerOf(ELAPSED_HEADER);
  return {
    ip: clientAddress,
    key: headerOf(IDEMPOTENCY_HEADER)?.slice(0, KEY_LENGTH),
    elapsedMs: elapsed !== undefined && /^\d{1,12}$/.test(elapsed) ? Number(elapsed) : undefined,
  };
}

/** Hands a handler the {@link SubmissionFacts} of the request. */
export const Submission = createParamDecorator((_: unknown, context: ExecutionContext) =>
  readSubmission(context.switchToHttp().getRequest<FastifyRequest>()),
);
