import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Clock } from '../shared/clock.js';
import { CONFIG, type Config } from './config.js';

/** Makes the configuration injectable everywhere under the token {@link CONFIG}, and the {@link Clock}. */
@Global()
@Module({})
export class ConfigModule {
  static register(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: CONFIG, useValue: config }, Clock],
      exports: [CONFIG, Clock],
    };
  }
}
