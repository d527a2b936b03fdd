import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { RETRY_AFTER_SECONDS } from '../config/time-limits.js';
import { Draining } from '../http/draining.js';
import type { ErrorContent } from '../http/error.filter.js';
import { Public } from '../http/public.decorator.js';
import { Readiness } from './readiness.js';

const ENDING: ErrorContent = { code: 'draining', message: 'This process is about to end.' };
const NO_PAGES: ErrorContent = { code: 'no_pages', message: 'This process has no page to show yet.' };

/** For load balancers: whether visitors should be sent to this process. */
@Public()
@ApiTags('health')
@Controller('api/health/ready')
export class ReadinessController {
  constructor(
    private readonly draining: Draining,
    private readonly readiness: Readiness,
  ) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Whether visitors should be sent to this process; it needs no database for that' })
  @ApiOkResponse({ schema: { example: { status: 'ready' } } })
  @ApiServiceUnavailableResponse({ description: '`draining`: it is about to end; `no_pages`: it has none to show yet' })
  async check(@Res({ passthrough: true }) reply: FastifyReply): Promise<{ status: 'ready' } | ErrorContent> {
    const reason = this.draining.hasBegun ? ENDING : (await this.readiness.hasPages()) ? undefined : NO_PAGES;
    if (reason === undefined) return { status: 'ready' };
    // Not thrown: it is no failure to be logged, and a balancer asks every second.
    void reply.status(503).header('retry-after', RETRY_AFTER_SECONDS);
    return reason;
  }
}
