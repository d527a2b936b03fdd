import { EntityManager } from '@mikro-orm/postgresql';
import { Controller, Get, Header, ServiceUnavailableException } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import { Public } from './public.decorator.js';

/** For load balancers and container engines. */
@Public()
@ApiTags('health')
@Controller('api/health')
export class HealthController {
  constructor(private readonly em: EntityManager) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Whether this process can serve' })
  @ApiOkResponse({ schema: { example: { status: 'ok' } } })
  @ApiServiceUnavailableResponse({ description: 'The database does not answer' })
  async check(): Promise<{ status: 'ok' }> {
    try {
      await this.em.fork().execute('select 1');
    } catch {
      throw new ServiceUnavailableException({ code: 'database_unavailable', message: 'The database does not answer.' });
    }
    return { status: 'ok' };
  }
}
