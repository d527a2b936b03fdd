import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../../config/config.js';
import type { Actor } from '../../shared/actor.js';
import type { Json } from '../accounts/user.presenter.js';
import { FactorsService } from '../factors/factors.service.js';
import type { FactorJson } from '../factors/factor.presenter.js';
import type { PasskeyJson } from '../webauthn/passkey.presenter.js';
import { PasskeysService } from '../webauthn/passkeys.service.js';
import { AdminUsersService, assertUserId } from '../admin/admin-users.service.js';
import { GeneratedLinksService } from '../admin/generated-links.service.js';
import { InvitationsService } from '../admin/invitations.service.js';
import { linkHeader, readUserPage, type UserPageQuery } from '../admin/user-page.js';
import { FromBody, FromCaller, FromQuery } from './auth-http.js';
import type { Caller } from './caller.js';
import { DeadlineInterceptor } from './deadline.interceptor.js';
import {
  adminUserBody,
  deletionBody,
  nameBody,
  inviteBody,
  linkBody,
  parseBody,
  type AdminUserBody,
  type NameBody,
  type InviteBody,
  type LinkBody,
} from './request-bodies.js';
import { FromProgram, ServiceRole } from './service-role.guard.js';

/** Administering accounts (auth-api.md 5), for programs. */
@ServiceRole()
@ApiExcludeController()
@UseInterceptors(DeadlineInterceptor)
@Controller()
export class AdminController {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly users: AdminUsersService,
    private readonly invitations: InvitationsService,
    private readonly links: GeneratedLinksService,
    private readonly factors: FactorsService,
    private readonly passkeys: PasskeysService,
  ) {}

  @Post('invite')
  @HttpCode(200)
  invite(
    @FromProgram() actor: Actor,
    @FromBody(inviteBody) { email, data }: InviteBody,
    @FromCaller() { audience, redirectTo }: Caller,
  ): Promise<Json> {
    return this.invitations.invite(actor, { email, data, audience, redirectTo });
  }

  @Post('admin/generate_link')
  @HttpCode(200)
  generateLink(
    @FromProgram() actor: Actor,
    @FromBody(linkBody) body: LinkBody,
    @FromCaller() caller: Caller,
  ): Promise<Json> {
    return this.links.generate(actor, body, caller);
  }

  @Get('admin/users')
  async list(
    @FromQuery('page') page: string | undefined,
    @FromQuery('per_page') perPage: string | undefined,
    @FromQuery('sort') sort: string | undefined,
    @FromQuery('filter') filter: string | undefined,
    @FromCaller() { audience }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Json> {
    const query = { page, per_page: perPage, sort, filter } as UserPageQuery;
    const request = readUserPage(query);
    const { users, total } = await this.users.list(request, audience);
    reply.headers({ 'x-total-count': String(total), link: linkHeader(request, total, query) });
    return { users, aud: audience ?? this.config.auth.jwt.audience };
  }

  @Post('admin/users')
  @HttpCode(200)
  create(
    @FromProgram() actor: Actor,
    @FromBody(adminUserBody) body: AdminUserBody,
    @FromCaller() { audience }: Caller,
  ): Promise<Json> {
    return this.users.create(actor, body, audience);
  }

  @Get('admin/users/:id')
  show(@Param('id') id: string): Promise<Json> {
    return this.users.show(id);
  }

  @Put('admin/users/:id')
  update(
    @FromProgram() actor: Actor,
    @Param('id') id: string,
    @FromBody(adminUserBody) body: AdminUserBody,
  ): Promise<Json> {
    return this.users.update(actor, id, body);
  }

  /** A body may be missing: the account is deleted for good then. */
  @Delete('admin/users/:id')
  async delete(
    @FromProgram() actor: Actor,
    @Param('id') id: string,
    @Req() { body }: FastifyRequest,
  ): Promise<Record<string, never>> {
    const { should_soft_delete: isSoft } = parseBody(body || '{}', deletionBody);
    await this.users.delete(actor, id, isSoft);
    return {};
  }

  @Get('admin/users/:id/factors')
  async listFactors(@FromProgram() actor: Actor, @Param('id') id: string): Promise<FactorJson[]> {
    assertUserId(id);
    return await this.factors.list(actor, id);
  }

  @Put('admin/users/:id/factors/:factorId')
  async renameFactor(
    @FromProgram() actor: Actor,
    @Param('id') id: string,
    @Param('factorId') factorId: string,
    @FromBody(nameBody) { friendly_name: name }: NameBody,
  ): Promise<FactorJson> {
    assertUserId(id);
    return await this.factors.rename(actor, id, factorId, name);
  }

  @Delete('admin/users/:id/factors/:factorId')
  async removeFactor(
    @FromProgram() actor: Actor,
    @Param('id') id: string,
    @Param('factorId') factorId: string,
  ): Promise<FactorJson> {
    assertUserId(id);
    return await this.factors.remove(actor, id, factorId);
  }
  @Get('admin/users/:id/passkeys')
  async listPasskeys(@FromProgram() actor: Actor, @Param('id') id: string): Promise<PasskeyJson[]> {
    assertUserId(id);
    return await this.passkeys.listOf(actor, id);
  }

  @Delete('admin/users/:id/passkeys/:passkeyId')
  @HttpCode(204)
  async removePasskey(
    @FromProgram() actor: Actor,
    @Param('id') id: string,
    @Param('passkeyId') passkeyId: string,
  ): Promise<void> {
    assertUserId(id);
    await this.passkeys.removeOf(actor, id, passkeyId);
  }
}
