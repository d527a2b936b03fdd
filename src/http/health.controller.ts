import { EntityManager } from '@mikro-orm/postgresql';
import { Controller, Get, Header, ServiceUnavailableException } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import { readWithin } from '../database/database-unavailable.js';
import { JobQueue } from '../database/job-queue.js';
import { ConnectionPool } from '../database/pool/connection-pool.js';
import { Clock } from '../shared/clock.js';
import { Public } from './public.decorator.js';

/** A connection may neither answer nor end, and the caller has other servers to choose from. */
const ANSWER_LIMIT_MS = 1500;
/** Queues of mails are named `mail` or `mail-...`. */
const MAIL_QUEUES = 'mail';

class MailHealthResponse {
  @ApiProperty({ type: Number, nullable: true, description: 'null when every mail is delivered' })
  readonly oldest_undelivered_seconds: number | null;
}

class MediaHealthResponse {
  @ApiProperty({ description: 'images of which files are missing or damaged' })
  readonly lacking: number;

  @ApiProperty({ description: 'images that were looked at' })
  readonly images: number;

  @ApiProperty({ format: 'date-time', description: 'when they were looked at: once a day' })
  readonly checked_at: string;
}

class HealthDetailsResponse {
  @ApiProperty({ enum: ['ok'] })
  readonly status: 'ok';

  @ApiProperty({ type: MailHealthResponse })
  readonly mail: MailHealthResponse;

  @ApiProperty({ type: MediaHealthResponse, nullable: true, description: 'null before the first check' })
  readonly media: MediaHealthResponse | null;
}

/** Health for people and for monitoring; balancers ask `/api/health/ready` (readiness.controller.ts). */
@Public()
@ApiTags('health')
@Controller('api/health')
export class HealthController {
  private details: Promise<HealthDetailsResponse> | undefined;

  constructor(
    private readonly em: EntityManager,
    private readonly pool: ConnectionPool,
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
  @ApiServiceUnavailableResponse({ description: 'The database does not answer, or takes no changes' })
  async check(): Promise<{ status: 'ok' }> {
    if (!(await orUnavailable(() => this.pool.takesChanges()))) throw unavailable('The database takes no changes.');
    return { status: 'ok' };
  }

  /** For monitoring from outside; reveals nothing of mails but their age, and of images but their number. */
  @Get('details')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'For how long the oldest mail has been waiting, and whether images have lost files' })
  @ApiOkResponse({ type: HealthDetailsResponse })
  @ApiServiceUnavailableResponse({ description: 'The database does not answer' })
  checkDetails(): Promise<HealthDetailsResponse> {
    // Everybody may ask, as often as they like, and it takes a look at every mail that waits: those who meet share one.
    this.details ??= this.readDetails().finally(() => (this.details = undefined));
    return this.details;
  }

  private async readDetails(): Promise<HealthDetailsResponse> {
    const oldest = await orUnavailable(() => this.jobs.findOldestUnfinished(this.em.fork(), MAIL_QUEUES));
    const age = oldest && Math.max(0, Math.round((this.clock.now().getTime() - oldest.getTime()) / 1000));
    const media = await orUnavailable(() => this.findMedia());
    return { status: 'ok', mail: { oldest_undelivered_seconds: age }, media };
  }

  /** Reads the result of the last daily check: a request must not walk a bucket. */
  private async findMedia(): Promise<MediaHealthResponse | null> {
    const [last] = await this.em
      .fork()
      .execute<{ lacking: number; images: number; checked_at: Date | string }[]>(
        'select lacking, images, checked_at from media_state',
      );
    if (last === undefined) return null;
    return { lacking: last.lacking, images: last.images, checked_at: new Date(last.checked_at).toISOString() };
  }
}

async function orUnavailable<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await readWithin(ANSWER_LIMIT_MS, task());
  } catch {
    throw unavailable('The database does not answer.');
  }
}

function unavailable(message: string): ServiceUnavailableException {
  return new ServiceUnavailableException({ code: 'database_unavailable', message });
}
