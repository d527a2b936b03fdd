import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { MailModule } from '../../mail/mail.module.js';
import { RolesModule } from '../../roles/roles.module.js';
import { AccountNoticesModule } from '../mails/account-notices.module.js';
import { AccountDataService } from './account-data.service.js';
import { FactorChangesService } from '../factors/factor-changes.service.js';
import { FactorsService } from '../factors/factors.service.js';
import { GuessesModule } from '../guesses/guesses.module.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { UserSessionsService } from '../sessions/user-sessions.service.js';
import { FreshProofService } from '../accounts/fresh-proof.service.js';
import { AdminUsersService } from './admin-users.service.js';
import { UserChangesService } from './user-changes.service.js';
import { UserImportService } from './user-import.service.js';
import { UsersService } from './users.service.js';

const services = [
  UserChangesService,
  PasswordsService,
  UsersService,
  AdminUsersService,
  UserImportService,
  AccountDataService,
  FactorsService,
  FactorChangesService,
  UserSessionsService,
  FreshProofService,
];

/** Administering accounts. */
@Module({
  imports: [RolesModule, AuditModule, MailModule, GuessesModule, AccountNoticesModule],
  providers: services,
  exports: services,
})
export class UsersModule {}
