import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CONFIG, type Config } from '../config/config.js';
import { SignedIn } from '../http/signed-in.decorator.js';
import { CurrentUser, type SignedInUser } from '../http/signed-in-user.js';
import type { Me } from '../shared/contracts/me.js';
import { RolesService } from './roles.service.js';

/** Tells pages who is signed in. */
@ApiTags('accounts')
@Controller('api/me')
export class MeController {
  constructor(
    private readonly roles: RolesService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @SignedIn()
  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The account that asks, and its role' })
  async read(@CurrentUser() { id, email, aal }: SignedInUser): Promise<Me> {
    const standing = await this.roles.findStanding(id);
    const role = standing?.role ?? null;
    return {
      id,
      email,
      is_admin: role === 'admin',
      role,
      may_publish: standing?.mayPublish ?? false,
      needs_second_factor: role !== null && this.config.auth.mfa.isRequiredOfAdmins && aal !== 'aal2',
    };
  }
}
