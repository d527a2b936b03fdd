import { Module } from '@nestjs/common';
import { PostsService } from './posts.service.js';

@Module({ providers: [PostsService], exports: [PostsService] })
export class PostsModule {}
