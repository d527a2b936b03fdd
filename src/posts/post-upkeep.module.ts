import { Module } from '@nestjs/common';
import { PostUpkeep } from './post-upkeep.js';
import { PostsModule } from './posts.module.js';
import { RelatedUpkeep } from './related/related-upkeep.js';

/** Publishes planned posts, empties the trash and finds related posts, in processes that serve. */
@Module({ imports: [PostsModule], providers: [PostUpkeep, RelatedUpkeep] })
export class PostUpkeepModule {}
