import { Module } from '@nestjs/common';
import { UsersModule } from '../auth/admin/users.module.js';
import { RateLimitsModule } from '../http/rate-limits/rate-limits.module.js';
import { PrivacyModule } from '../privacy/privacy.module.js';
import { AccountService } from './account.service.js';
import { AccountController } from './account.controller.js';

/** The API under /api/account: people and their own account. */
@Module({
  imports: [UsersModule, PrivacyModule, RateLimitsModule],
  controllers: [AccountController],
  providers: [AccountService],
})
export class AccountModule {}
