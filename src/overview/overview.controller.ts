import { Controller, Get, Header } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Acting } from '../http/acting.decorator.js';
import { Author } from '../http/author.decorator.js';
import type { Actor } from '../shared/actor.js';
import type { Overview } from '../shared/contracts/overview.js';
import { OverviewService } from './overview.service.js';

/** The start page of the admin area. */
@Author()
@ApiTags('overview')
@Controller('api/admin/overview')
export class OverviewController {
  constructor(private readonly overview: OverviewService) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'What came in, what waits, and what needs attention',
    description:
      'A part that could not be found out is null and named in `failed`; the others are there. Authors hear of their own posts alone.',
  })
  read(@Acting() actor: Actor): Promise<Overview> {
    return this.overview.gather(actor);
  }
}
