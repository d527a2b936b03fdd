import { Global, Module } from '@nestjs/common';
import { SiteService } from './site.service.js';

/** The site as it is at this moment, for every room. */
@Global()
@Module({ providers: [SiteService], exports: [SiteService] })
export class SiteModule {}
