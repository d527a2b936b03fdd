import { Controller, Get, Header, Module, type DynamicModule, type Type } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { IndexNowConfig } from '../../config/index-now.js';
import { Public } from '../../http/public.decorator.js';
import { keyFilePath } from '../../shared/paths.js';
import { SearchPingUpkeep } from './search-ping-upkeep.js';
import { SearchPingsService } from './search-pings.service.js';

/** Tells search engines of changes, in processes that serve; where nobody is told it ends what waits from before. */
@Module({})
export class SearchPingsModule {
  static register(settings: IndexNowConfig | null): DynamicModule {
    return {
      module: SearchPingsModule,
      controllers: settings === null ? [] : [toKeyFileController(settings.key)],
      providers: [SearchPingsService, SearchPingUpkeep],
    };
  }
}

/** The controller of the file that shows the key. Its address is known when the configuration is. */
function toKeyFileController(key: string): Type<object> {
  @Public()
  @ApiExcludeController()
  @Controller()
  class KeyFileController {
    @Get(keyFilePath(key))
    @Header('cache-control', 'public, max-age=300')
    @Header('content-type', 'text/plain; charset=utf-8')
    getKey(): string {
      return key;
    }
  }
  return KeyFileController;
}
