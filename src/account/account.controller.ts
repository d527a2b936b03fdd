import { Controller, Delete, Get, Header, HttpCode, Param } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { UserSessionsService } from '../auth/sessions/user-sessions.service.js';
import { Acting } from '../http/acting.decorator.js';
import { SignedIn } from '../http/signed-in.decorator.js';
import { CurrentUser, type SignedInUser } from '../http/signed-in-user.js';
import type { Actor } from '../shared/actor.js';
import type { AccountSessionList, EndedSessions } from '../shared/contracts/account.js';

/** The account of whoever asks, beyond what the protocol of its client has. */
@SignedIn()
@ApiTags('accounts')
@Controller('api/account')
export class AccountController {
  constructor(private readonly sessions: UserSessionsService) {}

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
