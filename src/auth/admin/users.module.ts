import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { RolesModule } from '../../roles/roles.module.js';
import { AccountDataService } from './account-data.service.js';
import { GuessesModule } from '../guesses/guesses.module.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { UserImportService } from './user-import.service.js';
import { UsersService } from './users.service.js';

/** Administering accounts. */
@Module({
  imports: [RolesModule, AuditModule, GuessesModule],
  providers: [PasswordsService, UsersService, UserImportService, AccountDataService],
  exports: [PasswordsService, UsersService, UserImportService, AccountDataService],
})
export class UsersModule {}
