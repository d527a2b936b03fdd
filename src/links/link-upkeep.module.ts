import { Module } from '@nestjs/common';
import { LinkUpkeep } from './link-upkeep.js';
import { LinksModule } from './links.module.js';

/** Follows the links of posts, in processes that serve. */
@Module({ imports: [LinksModule], providers: [LinkUpkeep] })
export class LinkUpkeepModule {}
