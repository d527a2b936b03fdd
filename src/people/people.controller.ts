import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post, Put, UsePipes } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import { Acting } from '../http/acting.decorator.js';
import { Admin } from '../http/admin.decorator.js';
import { inputPipe } from '../http/input-pipe.js';
import { UuidPipe } from '../http/uuid.pipe.js';
import type { Actor } from '../shared/actor.js';
import {
  ChangeRoleInput,
  InvitePersonInput,
  type InvitedPerson,
  type Person,
  type TakenBackRole,
} from '../shared/contracts/people.js';
import { PersonNotFoundException } from './people.errors.js';
import { PeopleService } from './people.service.js';

const PersonId = () => Param('id', new UuidPipe({ exceptionFactory: () => new PersonNotFoundException() }));
const LastAdmin = () => ApiConflictResponse({ description: '`last_admin`: nobody else is an administrator' });

/** Lists, gives and takes back roles in the admin area. */
@Admin()
@ApiTags('people')
@UsePipes(inputPipe())
@Controller('api/admin/people')
export class PeopleController {
  constructor(private readonly people: PeopleService) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Everybody who has a role, administrators first' })
  list(@Acting() actor: Actor): Promise<Person[]> {
    return this.people.list(actor);
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Give somebody a role',
    description:
      'Who has no account, or has not come yet, is invited by mail, once more after a minute; an account that is there has the role at once. ' +
      'A role that somebody has already is not taken by an invitation.',
  })
  @ApiBadRequestResponse({ description: '`validation_failed`' })
  @ApiConflictResponse({ description: '`has_role`: they have another role, which is changed where it stands' })
  @ApiTooManyRequestsResponse({ description: '`over_email_send_rate_limit`: nothing was done' })
  invite(@Acting() actor: Actor, @Body() input: InvitePersonInput): Promise<InvitedPerson> {
    return this.people.invite(actor, input);
  }

  @Put(':id')
  @ApiOperation({ summary: 'Change the role of somebody who has one' })
  @ApiNotFoundResponse({ description: '`person_not_found`: they have no role, or no longer' })
  @ApiConflictResponse({
    description: '`last_admin`: nobody else is an administrator; `role_changed`: it is not as it was seen any more',
  })
  change(@Acting() actor: Actor, @PersonId() id: string, @Body() input: ChangeRoleInput): Promise<Person> {
    return this.people.change(actor, id, input);
  }

  @Delete(':id')
  @ApiOperation({
    summary: 'Take the role back, at once; unpublished posts go to an administrator',
    description: 'An invitation that nobody accepted is withdrawn, with the account that it made.',
  })
  @ApiNotFoundResponse({ description: '`person_not_found`: they have no role, or no longer' })
  @LastAdmin()
  takeBack(@Acting() actor: Actor, @PersonId() id: string): Promise<TakenBackRole> {
    return this.people.dismiss(actor, id);
  }
}
