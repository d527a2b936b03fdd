import { Controller, Get, Header, Query, UsePipes } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Acting } from '../http/acting.decorator.js';
import { Admin } from '../http/admin.decorator.js';
import { inputPipe } from '../http/input-pipe.js';
import type { Actor } from '../shared/actor.js';
import { DeadLinkQuery, type DeadLinkPage } from '../shared/contracts/links.js';
import { LinksService } from './links.service.js';

/** Tells which posts have dead links. */
@Admin()
@ApiTags('admin: posts')
@UsePipes(inputPipe())
@Controller('api/admin/links')
export class LinksController {
  constructor(private readonly links: LinksService) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The posts with links or images that lead nowhere, published ones first' })
  list(@Acting() actor: Actor, @Query() { page }: DeadLinkQuery): Promise<DeadLinkPage> {
    return this.links.listDead(actor, page);
  }
}
