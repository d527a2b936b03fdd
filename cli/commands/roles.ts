import { Argument, type Command } from 'commander';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { formatColumns } from '../columns.js';
import type { WithContext } from '../context.js';
import { findUser, nameOf } from '../find-user.js';
import { guide } from '../guide.js';

async function handleGrant(emailOrId: string, withContext: WithContext): Promise<void> {
  const message = await withContext(async (context) => {
    const user = await findUser(context, emailOrId);
    const isNew = await context.get(RolesService).grantAdmin(OPERATOR, user.id);
    return `${nameOf(user)} is an administrator${isNew ? '' : ' already'}.\n`;
  });
  process.stdout.write(message);
}

async function handleRevoke(emailOrId: string, isForced: boolean, withContext: WithContext): Promise<void> {
  const message = await withContext(async (context) => {
    const user = await findUser(context, emailOrId);
    const wasAdmin = await context.get(RolesService).revokeAdmin(OPERATOR, user.id, { isForced });
    return `${nameOf(user)} ${wasAdmin ? 'is no longer an administrator' : 'was no administrator'}.\n`;
  });
  process.stdout.write(message);
}

async function handleList(isJson: boolean, withContext: WithContext): Promise<void> {
  const records = await withContext(async (context) => {
    const admins = await context.get(RolesService).listAdmins(OPERATOR);
    return admins.map(({ userId, email, createdAt }) => ({
      user_id: userId,
      email,
      role: 'admin',
      created_at: createdAt.toISOString(),
    }));
  });
  const rows = records.map((record) => [record.role, record.user_id, record.email ?? '', record.created_at]);
  if (isJson) process.stdout.write(`${JSON.stringify(records, null, 2)}\n`);
  else process.stdout.write(rows.length === 0 ? 'There are no administrators yet.\n' : formatColumns(rows));
}

/** `roles`: grants and revokes the role of administrators. */
export function registerRoleCommands(program: Command, withContext: WithContext): void {
  const roles = program.command('roles').description('who is an administrator');
  const user = () => new Argument('<user>', 'the account, by email address or id');
  const role = () => new Argument('[role]', 'the role').choices(['admin']).default('admin');
  guide(
    roles
      .command('grant')
      .description('make someone an administrator, at once')
      .addArgument(user())
      .addArgument(role())
      .action((emailOrId: string) => handleGrant(emailOrId, withContext)),
    {
      examples: [['anna@example.com', 'make an account an administrator']],
    },
  );
  guide(
    roles
      .command('revoke')
      .description('take the role from someone, at once')
      .addArgument(user())
      .addArgument(role())
      .option('--force', 'even from the last administrator')
      .action((emailOrId: string, _role: string, flags: { readonly force?: true }) =>
        handleRevoke(emailOrId, flags.force === true, withContext),
      ),
    {
      examples: [
        ['anna@example.com', 'make an administrator an ordinary account'],
        ['anna@example.com --force', 'even if nobody else is one'],
      ],
    },
  );
  guide(
    roles
      .command('list')
      .description('every administrator, the first one first')
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
