import { Module } from '@nestjs/common';
import { ADMIN_READER } from '../http/authenticator.js';
import { MeController } from './me.controller.js';
import { RolesService } from './roles.service.js';

/** Roles: who is an administrator. Answers the guard's question about it. */
@Module({
  controllers: [MeController],
  providers: [RolesService, { provide: ADMIN_READER, useExisting: RolesService }],
  exports: [RolesService, ADMIN_READER],
})
export class RolesModule {}
