import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module, type DynamicModule } from '@nestjs/common';
import { RolesModule } from '../roles/roles.module.js';
import { PostRead } from './post-read.entity.js';
import { ReadUpkeep } from './read-upkeep.js';
import { ReadsController } from './reads.controller.js';
import { ReadsService } from './reads.service.js';

/** Known to the ORM before the first application is made, as the entities of all modules are. */
const entities = MikroOrmModule.forFeature([PostRead]);

/** Reads of posts. Where they are not counted there is the table, and nothing that would read or write it. */
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
      providers: isCounting ? [ReadsService, ...(isServer ? [ReadUpkeep] : [])] : [],
    };
  }
}
