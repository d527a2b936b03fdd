import { EntityManager } from '@mikro-orm/postgresql';
import { Controller, Get, Header, ServiceUnavailableException } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import { readWithin } from '../database/database-unavailable.js';
import { JobQueue } from '../database/job-queue.js';
import { Clock } from '../shared/clock.js';
import { Public } from './public.decorator.js';

/** A connection may neither answer nor end, and whoever asks has other servers to send people to. */
const ANSWER_LIMIT_MS = 1500;
/** Queues of mails are named `mail` or `mail-...`. */
const MAIL_QUEUES = 'mail';

class MailHealthResponse {
  @ApiProperty({ type: Number, nullable: true, description: 'null when every mail is delivered' })
  readonly oldest_undelivered_seconds: number | null;
}

class HealthDetailsResponse {
  @ApiProperty({ enum: ['ok'] })
  readonly status: 'ok';

  @ApiProperty({ type: MailHealthResponse })
  readonly mail: MailHealthResponse;
}

/** For people and for what watches the site; balancers ask `/api/health/ready` (readiness.controller.ts). */
@Public()
@ApiTags('health')
@Controller('api/health')
export class HealthController {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  /** For container engines and service managers: a process that does not answer this is to be started again. */
  @Get('live')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Whether this process runs; asks nothing else' })
  @ApiOkResponse({ schema: { example: { status: 'ok' } } })
  checkLife(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Whether this process can serve, the database included' })
  @ApiOkResponse({ schema: { example: { status: 'ok' } } })
  @ApiServiceUnavailableResponse({ description: 'The database does not answer' })
  async check(): Promise<{ status: 'ok' }> {
    await orUnavailable(() => this.em.fork().execute('select 1'));
    return { status: 'ok' };
  }

  /** For whoever watches the site from outside; says nothing about anybody's mail but its age. */
  @Get('details')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'For how long the oldest mail that was not delivered yet has been waiting' })
  @ApiOkResponse({ type: HealthDetailsResponse })
  @ApiServiceUnavailableResponse({ description: 'The database does not answer' })
  async checkDetails(): Promise<HealthDetailsResponse> {
    const oldest = await orUnavailable(() => this.jobs.findOldestUnfinished(this.em.fork(), MAIL_QUEUES));
    const age = oldest && Math.max(0, Math.round((this.clock.now().getTime() - oldest.getTime()) / 1000));
    return { status: 'ok', mail: { oldest_undelivered_seconds: age } };
  }
}

async function orUnavailable<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await readWithin(ANSWER_LIMIT_MS, task());
  } catch {
    throw new ServiceUnavailableException({ code: 'database_unavailable', message: 'The database does not answer.' });
  }
}
