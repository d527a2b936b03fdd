import { Catch, HttpException, Inject, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../config/config.js';
import { RETRY_AFTER_SECONDS } from '../config/time-limits.js';
import { Metrics } from '../metrics/metrics.js';
import { OutageException, toAnswerable } from './outage.errors.js';
import './error-answer.js';
import { toLoggedPath } from './logged-path.js';
import { noteRefusal } from './request-log.js';

/** The body of every error answer of the API. */
export interface ErrorBody {
  /** Stable, for programs. */
  readonly code: string;
  /** A sentence for people; says nothing about the inside. */
  readonly message: string;
  /** Messages by wrong field. */
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  /** That of the log lines, and of the header x-request-id. */
  readonly request_id: string;
}

/** An error body before the id of its request is known. */
export type ErrorContent = Omit<ErrorBody, 'request_id'>;

const UNEXPECTED: ErrorContent = { code: 'unexpected_failure', message: 'Something went wrong on our side.' };

/** Answers an error with an {@link ErrorBody}; causes go to the log only. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly metrics: Metrics,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const error = toAnswerable(thrown, this.config);
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const status = statusOf(error);
    if (status >= 500) this.logger.error({ err: thrown, url: toLoggedPath(request.url) }, 'A request failed');
    if (error instanceof OutageException) this.metrics.outages.add(error.code);
    if (reply.sent) return;
    if (request.answerError !== undefined) return request.answerError(error);
    if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS);
    const body: ErrorBody = { ...contentOf(error, status), request_id: request.id };
    noteRefusal(reply.raw, body.code);
    void reply.status(status).header('cache-control', 'no-store').send(body);
  }
}

/** Errors of the framework below (a body too large, malformed JSON) carry their own status. */
function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  const status = (error as { statusCode?: unknown } | undefined)?.statusCode;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}

function contentOf(error: unknown, status: number): ErrorContent {
  // Outages say what is away; everything else that is our fault says nothing of the inside.
  if (status >= 500 && status !== 503 && status !== 507) return UNEXPECTED;
  if (!(error instanceof HttpException)) {
    return { code: codeOf(status), message: (error as Error).message };
  }
  const response = error.getResponse();
  if (typeof response === 'object' && 'code' in response) return response as ErrorContent;
  return { code: codeOf(status), message: error.message };
}

/** For errors of the framework, which have no code of their own. */
function codeOf(status: number): string {
  const codes: Readonly<Record<number, string>> = { 404: 'not_found', 413: 'request_too_large' };
  return codes[status] ?? 'bad_request';
}
