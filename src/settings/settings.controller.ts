import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post, Put, Query, UsePipes } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOperation,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { Acting } from '../http/acting.decorator.js';
import { Admin } from '../http/admin.decorator.js';
import { inputPipe } from '../http/input-pipe.js';
import type { Actor } from '../shared/actor.js';
import {
  SettingsDraftInput,
  SettingsRevisionInput,
  SettingsVersionsQuery,
  type RestoredSettings,
  type SettingsVersions,
  type SettingsView,
} from '../shared/contracts/settings.js';
import { SettingsService } from './settings.service.js';
import { SettingsVersionNotFoundException } from './settings.errors.js';

const Changed = () =>
  ApiConflictResponse({
    description: '`settings_changed`: with `current`, and in `names` the values that both changed; nothing was written',
  });
const Invalid = () => ApiUnprocessableEntityResponse({ description: '`invalid_settings`, with `fields`' });

/** Editing documents of settings: what waits, what is published, and what was. */
@Admin()
@ApiTags('settings')
@ApiNotFoundResponse({ description: '`settings_not_found`, `settings_version_not_found`' })
@UsePipes(inputPipe())
@Controller('api/admin/settings/:document')
export class SettingsController {
  constructor(private readonly settings: SettingsService) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'A document, such as `company`, with its draft' })
  find(@Acting() actor: Actor, @Param('document') document: string): Promise<SettingsView> {
    return this.settings.find(actor, document);
  }

  @Put('draft')
  @ApiOperation({ summary: 'Put values into the draft, which nobody sees but in a preview' })
  @Changed()
  @Invalid()
  saveDraft(
    @Acting() actor: Actor,
    @Param('document') document: string,
    @Body() input: SettingsDraftInput,
  ): Promise<SettingsView> {
    return this.settings.saveDraft(actor, document, input);
  }

  @Delete('draft')
  @ApiOperation({ summary: 'Discard the draft' })
  @Changed()
  discardDraft(
    @Acting() actor: Actor,
    @Param('document') document: string,
    @Query() { revision }: SettingsRevisionInput,
  ): Promise<SettingsView> {
    return this.settings.discardDraft(actor, document, revision);
  }

  @Post('publication')
  @HttpCode(200)
  @ApiOperation({ summary: 'Publish the draft: pages of all processes show it within a second' })
  @Changed()
  @Invalid()
  publish(
    @Acting() actor: Actor,
    @Param('document') document: string,
    @Body() { revision }: SettingsRevisionInput,
  ): Promise<SettingsView> {
    return this.settings.publish(actor, document, revision);
  }

  @Get('versions')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'What was published, by whom and when; the last hundred are kept' })
  listVersions(
    @Acting() actor: Actor,
    @Param('document') document: string,
    @Query() { before }: SettingsVersionsQuery,
  ): Promise<SettingsVersions> {
    return this.settings.listVersions(actor, document, before);
  }

  @Post('versions/:version/restore')
  @HttpCode(200)
  @ApiOperation({ summary: 'Make a draft of a version, in the place of the draft that is there' })
  @Changed()
  restore(
    @Acting() actor: Actor,
    @Param('document') document: string,
    @Param('version') version: string,
    @Body() { revision }: SettingsRevisionInput,
  ): Promise<RestoredSettings> {
    if (!/^[1-9]\d{0,8}$/.test(version)) throw new SettingsVersionNotFoundException();
    return this.settings.restore(actor, document, Number(version), revision);
  }
}
