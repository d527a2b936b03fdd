import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module, type DynamicModule } from '@nestjs/common';
import { RolesModule } from '../roles/roles.module.js';
import { PostRead } from './post-read.entity.js';
import { ReadUpkeep } from './read-upkeep.js';
import { ReadsController } from './reads.controller.js';
import { ReadsService } from './reads.service.js';

/** Known to the ORM before the first application is made, as the entities of all modules are. */
const entities = MikroOrmModule.forFeature([PostRead]);

/**
 * Reads of posts. Where they are no longer counted nothing takes or shows them, and servers go on to sum up those of before,
 * as the privacy page promised.
 */
@Module({})
export class ReadsModule {
  static register({
    isCounting,
    isServer,
  }: {
    readonly isCounting: boolean;
    readonly isServer: boolean;
  }): DynamicModule {
    return {
      module: ReadsModule,
      imports: [entities, RolesModule],
      controllers: isCounting ? [ReadsController] : [],
      providers: isCounting || isServer ? [ReadsService, ...(isServer ? [ReadUpkeep] : [])] : [],
    };
  }
}
