import { Module } from '@nestjs/common';
import { UsersModule } from '../auth/admin/users.module.js';
import { AccountController } from './account.controller.js';

/** The API under /api/account: people and their own account. */
@Module({
  imports: [UsersModule],
  controllers: [AccountController],
})
export class AccountModule {}
