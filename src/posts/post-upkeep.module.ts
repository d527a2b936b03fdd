import { Module } from '@nestjs/common';
import { PostUpkeep } from './post-upkeep.js';
import { PostsModule } from './posts.module.js';

/** Publishes planned posts and empties the trash, in processes that serve. */
@Module({ imports: [PostsModule], providers: [PostUpkeep] })
export class PostUpkeepModule {}
