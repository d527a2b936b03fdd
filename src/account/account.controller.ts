import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post, UsePipes } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiForbiddenResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import { UserSessionsService } from '../auth/sessions/user-sessions.service.js';
import { Acting } from '../http/acting.decorator.js';
import { inputPipe } from '../http/input-pipe.js';
import { SignedIn } from '../http/signed-in.decorator.js';
import { CurrentUser, type SignedInUser } from '../http/signed-in-user.js';
import type { Actor } from '../shared/actor.js';
import { AccountDeletion } from '../shared/contracts/account-deletion.js';
import type { AccountSessionList, EndedSessions } from '../shared/contracts/account.js';
import { AccountService } from './account.service.js';

/** The account of whoever asks, beyond what the protocol of its client has. */
@SignedIn()
@ApiTags('accounts')
@Controller('api/account')
export class AccountController {
  constructor(
    private readonly sessions: UserSessionsService,
    private readonly account: AccountService,
  ) {}

  @Get('export')
  @Header('cache-control', 'no-store')
  @Header('content-disposition', 'attachment; filename="account.json"')
  @ApiOkResponse({
    schema: { type: 'object', additionalProperties: true },
    description: 'The same as `privacy export` on the command line',
  })
  @ApiTooManyRequestsResponse({ description: '`over_request_rate_limit`: ten an hour' })
  @ApiOperation({ summary: 'Everything that is kept about the account' })
  exportData(@CurrentUser() user: SignedInUser): Promise<object> {
    return this.account.exportData(user);
  }

  @Post('deletion')
  @HttpCode(204)
  @UsePipes(inputPipe())
  @ApiBadRequestResponse({
    description: '`validation_failed`, `current_password_required`, `current_password_invalid`',
  })
  @ApiForbiddenResponse({ description: '`reauthentication_needed`, `session_not_found`' })
  @ApiConflictResponse({ description: '`last_admin`: somebody else has to be made an administrator first' })
  @ApiTooManyRequestsResponse({ description: '`over_request_rate_limit`: too many wrong passwords' })
  @ApiOperation({ summary: 'Deletes the account with all that belongs to it; nothing brings it back' })
  async delete(@CurrentUser() user: SignedInUser, @Body() { password }: AccountDeletion): Promise<void> {
    await this.account.delete(user, password);
  }

  @Get('sessions')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The devices on which the account is signed in, the last used first' })
  listSessions(@Acting() actor: Actor, @CurrentUser() { id, sessionId }: SignedInUser): Promise<AccountSessionList> {
    return this.sessions.list(actor, id, sessionId);
  }

  @Delete('sessions')
  @ApiOperation({ summary: 'Signs out all devices but the one that asks' })
  async endOtherSessions(
    @Acting() actor: Actor,
    @CurrentUser() { id, sessionId }: SignedInUser,
  ): Promise<EndedSessions> {
    return { ended: await this.sessions.endOthers(actor, id, sessionId) };
  }

  @Delete('sessions/:id')
  @HttpCode(204)
  @ApiNotFoundResponse({ description: '`session_not_found`: no session of this account, or ended before' })
  @ApiOperation({ summary: 'Signs out one device' })
  async endSession(
    @Acting() actor: Actor,
    @CurrentUser() user: SignedInUser,
    @Param('id') sessionId: string,
  ): Promise<void> {
    await this.sessions.end(actor, user.id, sessionId);
  }
}
