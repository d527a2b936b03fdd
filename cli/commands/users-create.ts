import { Option, type Command } from 'commander';
import { InvitationsService } from '../../src/auth/admin/invitations.service.js';
import { UsersService, type CreationSteps } from '../../src/auth/admin/users.service.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { ROLES, type Role } from '../../src/shared/contracts/roles.js';
import type { WithContext } from '../context.js';
import { findUser, nameOf } from '../find-user.js';
import { readNewPassword } from '../read-password.js';
import { guide } from '../guide.js';

interface CreateFlags {
  readonly admin?: true;
  readonly unconfirmed?: true;
}

async function handleCreate(email: string, flags: CreateFlags, withContext: WithContext): Promise<void> {
  const password = await readNewPassword();
  const sentence = await withContext(async (context) => {
    const isConfirmed = flags.unconfirmed !== true;
    const roles = context.get(RolesService);
    const steps: CreationSteps = {
      before: async () => null,
      // In the same transaction: without its role, the account would be in the way of the next try.
      after: async (em, userId) => {
        if (flags.admin) await roles.grant(em, OPERATOR, userId, { role: 'admin', mayPublish: true });
      },
    };
    const user = await context.get(UsersService).createUser(OPERATOR, { email, password, isConfirmed }, steps);
    return `Created ${flags.admin ? 'administrator' : 'user'} ${nameOf(user)} (${user.id}).`;
  });
  process.stdout.write(`${sentence}\n`);
}

interface InviteFlags {
  readonly role?: Role;
  readonly mayPublish?: true;
}

async function handleInvite(
  email: string,
  { role, mayPublish: isPublishing }: InviteFlags,
  withContext: WithContext,
): Promise<void> {
  const mayPublish = isPublishing === true;
  if (mayPublish && role !== 'author') throw new Error('--may-publish is for --role author.');
  const sentence = await withContext(async (context) => {
    const roles = context.get(RolesService);
    // The role in the same transaction: the mail may leave as soon as that ends, and names it.
    const invited = await context.get(InvitationsService).invite(OPERATOR, { email, data: {} }, async (em, userId) => {
      if (role !== undefined) await roles.grant(em, OPERATOR, userId, { role, mayPublish });
    });
    const user = await findUser(context, String(invited['id']));
    const as = role === undefined ? '' : ` as an ${role === 'admin' ? 'administrator' : 'author'}`;
    return `Invited ${nameOf(user)} (${user.id})${as}. A running server sends the mail.`;
  });
  process.stdout.write(`${sentence}\n`);
}

/** `users create` and `users invite`. */
export function registerUserCreateCommands(users: Command, withContext: WithContext): void {
  guide(
    users
      .command('create')
      .description('create an account; the password is asked for, or read from standard input')
      .argument('<email>', 'the email address')
      .option('--admin', 'make it an administrator')
      .option('--unconfirmed', 'leave it to its owner to confirm the address')
      .action((email: string, flags: CreateFlags) => handleCreate(email, flags, withContext)),
    {
      remarks: 'The password is never an argument, which every process of the machine could read.',
      examples: [
        ['anna@example.com --admin', 'an administrator; the password is asked for'],
        ['anna@example.com < password.txt', 'with a password from a file'],
      ],
    },
  );
  guide(
    users
      .command('invite')
      .description('mail an invitation: whoever reads it has an account, and chooses a password')
      .argument('<email>', 'the email address')
      .addOption(new Option('--role <role>', 'what the account is to be').choices([...ROLES]))
      .option('--may-publish', 'an author who publishes their own posts')
      .action((email: string, flags: InviteFlags) => handleInvite(email, flags, withContext)),
    {
      remarks:
        'Link and code of the mail are good for AUTH_MAIL_INVITE_EXP seconds, seven days by default. Run it again to send another one, a minute ' +
        'later at the earliest. A password that somebody chose who never confirmed the address is void.',
      examples: [
        ['anna@example.com', 'an account whose owner chooses the password'],
        ['anna@example.com --role admin', 'an administrator'],
        ['bert@example.com --role author', 'an author, whose posts an administrator publishes'],
      ],
    },
  );
}
