import { Argument, Option, type Command } from 'commander';
import { PeopleService } from '../../src/people/people.service.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { ROLES, type Role } from '../../src/shared/contracts/roles.js';
import { formatColumns } from '../columns.js';
import type { WithContext } from '../context.js';
import { findUser, nameOf } from '../find-user.js';
import { guide } from '../guide.js';
import { writeJson } from '../write-json.js';

const words: Readonly<Record<Role, string>> = { admin: 'an administrator', author: 'an author' };

interface GrantFlags {
  readonly role?: Role;
  readonly mayPublish?: true;
}

async function handleGrant(
  emailOrId: string,
  named: Role | undefined,
  flags: GrantFlags,
  withContext: WithContext,
): Promise<void> {
  const role = chooseRole(named, flags.role) ?? 'admin';
  const mayPublish = flags.mayPublish === true;
  if (mayPublish && role === 'admin') throw new Error('Administrators may publish: --may-publish is for authors.');
  const message = await withContext(async (context) => {
    const user = await findUser(context, emailOrId);
    const before = await context.get(PeopleService).grant(OPERATOR, user.id, { role, mayPublish });
    const wasSo = before?.role === role && before.mayPublish === (role === 'admin' || mayPublish);
    const rights = role === 'admin' ? '' : mayPublish ? ' who may publish' : ' whose posts an administrator publishes';
    const lost = before?.role === 'admin' && role !== 'admin' ? ', and no longer an administrator' : '';
    return `${nameOf(user)} is ${words[role]}${rights}${wasSo ? ' already' : ''}${lost}.\n`;
  });
  process.stdout.write(message);
}

interface RevokeFlags {
  readonly role?: Role;
  readonly force?: true;
}

async function handleRevoke(
  emailOrId: string,
  named: Role | undefined,
  flags: RevokeFlags,
  withContext: WithContext,
): Promise<void> {
  const role = chooseRole(named, flags.role);
  const message = await withContext(async (context) => {
    const user = await findUser(context, emailOrId);
    const options = { isForced: flags.force === true, role };
    const taken = await context.get(PeopleService).takeBack(OPERATOR, user.id, options);
    if (taken === null)
      return `${nameOf(user)} was no ${(role ?? 'admin') === 'admin' ? 'administrator' : 'author'}.\n`;
    const { before, drafts, draftsTo } = taken;
    const posts = drafts === 1 ? '1 unpublished post belongs' : `${drafts} unpublished posts belong`;
    const rest = drafts === 0 ? '' : `${posts} to ${draftsTo ?? 'nobody'} now.\n`;
    return `${nameOf(user)} is no longer ${words[before.role]}.\n${rest}`;
  });
  process.stdout.write(message);
}

/** The role can be said in two ways; who says two different ones is asked, and nothing happens. */
function chooseRole(named: Role | undefined, flagged: Role | undefined): Role | undefined {
  if (named !== undefined && flagged !== undefined && named !== flagged) {
    throw new Error(`Which role: ${named}, or --role ${flagged}?`);
  }
  return named ?? flagged;
}

async function handleList(isJson: boolean, withContext: WithContext): Promise<void> {
  const records = await withContext(async (context) => {
    const people = await context.get(RolesService).list(OPERATOR);
    return people.map(({ userId, email, role, mayPublish, createdAt }) => ({
      user_id: userId,
      email,
      role,
      may_publish: mayPublish,
      created_at: createdAt.toISOString(),
    }));
  });
  const rows = records.map((record) => [
    record.role,
    record.may_publish ? 'publishes' : 'writes',
    record.user_id,
    record.email ?? '',
    record.created_at,
  ]);
  if (isJson) writeJson(records);
  else process.stdout.write(rows.length === 0 ? 'There are no administrators yet.\n' : formatColumns(rows));
}

/** `roles`: grants and revokes the roles of administrators and authors. */
export function registerRoleCommands(program: Command, withContext: WithContext): void {
  const roles = program.command('roles').description('who is an administrator, and who an author');
  const user = () => new Argument('<user>', 'the account, by email address or id');
  const role = (text: string) => new Argument('[role]', text).choices([...ROLES]);
  const roleOption = () => new Option('--role <role>', 'the role, in another place').choices([...ROLES]);
  guide(
    roles
      .command('grant')
      .description('make someone an administrator or an author, at once')
      .addArgument(user())
      .addArgument(role('the role that takes the place of any other; an administrator without it'))
      .addOption(roleOption())
      .option('--may-publish', 'an author who publishes their own posts')
      .action((emailOrId: string, named: Role | undefined, flags: GrantFlags) =>
        handleGrant(emailOrId, named, flags, withContext),
      ),
    {
      remarks:
        'An author writes posts and sees their own ones alone: no enquiries, people or settings. Without --may-publish ' +
        'an administrator publishes them.',
      examples: [
        ['anna@example.com', 'make an account an administrator'],
        ['bert@example.com author --may-publish', 'an author who publishes what they write'],
      ],
    },
  );
  guide(
    roles
      .command('revoke')
      .description('take the role from someone, at once')
      .addArgument(user())
      .addArgument(role('only this role; whichever it is without it'))
      .addOption(roleOption())
      .option('--force', 'even from the last administrator')
      .action((emailOrId: string, named: Role | undefined, flags: RevokeFlags) =>
        handleRevoke(emailOrId, named, flags, withContext),
      ),
    {
      remarks: 'What they have not published goes to the administrator who has been one for longest.',
      examples: [
        ['anna@example.com', 'make an administrator or author an ordinary account'],
        ['anna@example.com --force', 'even if nobody else is an administrator'],
      ],
    },
  );
  guide(
    roles
      .command('list')
      .description('every administrator and author, the first one of each first')
      .option('--json', 'write JSON')
      .action((flags: { readonly json?: true }) => handleList(flags.json === true, withContext)),
    {
      examples: [
        ['', 'all of them'],
        ['--json', 'for programs'],
      ],
    },
  );
}
