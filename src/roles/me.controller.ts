import { Controller, Get, Header } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { SignedIn } from '../http/signed-in.decorator.js';
import { CurrentUser, type SignedInUser } from '../http/signed-in-user.js';
import type { Me } from '../shared/contracts/me.js';
import { RolesService } from './roles.service.js';

/** Tells pages who is signed in. */
@ApiTags('accounts')
@Controller('api/me')
export class MeController {
  constructor(private readonly roles: RolesService) {}

  @SignedIn()
  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The account that asks, and whether it is an administrator' })
  async read(@CurrentUser() { id, email }: SignedInUser): Promise<Me> {
    return { id, email, is_admin: await this.roles.isAdmin(id) };
  }
}
