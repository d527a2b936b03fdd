import { Module } from '@nestjs/common';
import { SettingsModule } from './settings.module.js';
import { VariableTaking } from './variable-taking.js';

/** Takes variables into the settings, in processes that serve. */
@Module({ imports: [SettingsModule], providers: [VariableTaking] })
export class VariableTakingModule {}
