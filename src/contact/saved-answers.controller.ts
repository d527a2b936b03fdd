import { Body, Controller, Delete, Get, Header, HttpCode, Param, Put, UsePipes } from '@nestjs/common';
import { ApiConflictResponse, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Acting } from '../http/acting.decorator.js';
import { Admin } from '../http/admin.decorator.js';
import { inputPipe } from '../http/input-pipe.js';
import { UuidPipe } from '../http/uuid.pipe.js';
import type { Actor } from '../shared/actor.js';
import type { SavedAnswerRecord } from '../shared/contracts/enquiries.js';
import { SavedAnswerInput } from '../shared/contracts/enquiry-queries.js';
import { SavedAnswersService } from './saved-answers.service.js';

/** Texts that answers begin with. */
@Admin()
@ApiTags('enquiries')
@UsePipes(inputPipe())
@Controller('api/admin/saved-answers')
export class SavedAnswersController {
  constructor(private readonly saved: SavedAnswersService) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The texts that administrators begin answers with, by name' })
  list(@Acting() actor: Actor): Promise<SavedAnswerRecord[]> {
    return this.saved.list(actor);
  }

  @Put(':id')
  @ApiOperation({ summary: 'Add one, with an id of its own and version 0, or change it' })
  @ApiConflictResponse({ description: '`saved_answer_changed`: somebody else was faster; `name_taken`' })
  save(
    @Param('id', new UuidPipe()) id: string,
    @Body() input: SavedAnswerInput,
    @Acting() actor: Actor,
  ): Promise<SavedAnswerRecord> {
    return this.saved.save(actor, id, input);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove one' })
  @ApiNoContentResponse({ description: 'It is gone, or never was' })
  async remove(@Param('id', new UuidPipe()) id: string, @Acting() actor: Actor): Promise<void> {
    await this.saved.remove(actor, id);
  }
}
