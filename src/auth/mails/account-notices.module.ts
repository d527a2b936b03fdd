import { Module } from '@nestjs/common';
import { RateLimitsModule } from '../../http/rate-limits/rate-limits.module.js';
import { MailModule } from '../../mail/mail.module.js';
import { RolesModule } from '../../roles/roles.module.js';
import { GuessesModule } from '../guesses/guesses.module.js';
import { AccountNoticesService } from './account-notices.service.js';
import { MailBudgetsService } from './mail-budgets.service.js';

/** The notices to administrators, for whoever changes accounts, and the budgets of mails. */
@Module({
  imports: [RolesModule, MailModule, RateLimitsModule, GuessesModule],
  providers: [AccountNoticesService, MailBudgetsService],
  exports: [AccountNoticesService, MailBudgetsService],
})
export class AccountNoticesModule {}
