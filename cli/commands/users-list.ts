import type { Command } from 'commander';
import { UsersService, type UserAccount } from '../../src/auth/admin/users.service.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { Role } from '../../src/shared/contracts/roles.js';
import { formatColumns } from '../columns.js';
import type { CliContext, WithContext } from '../context.js';
import { findUser } from '../find-user.js';
import { guide } from '../guide.js';
import { writeJson } from '../write-json.js';

/** An account in JSON output. */
interface UserRecord {
  readonly id: string;
  readonly email: string | null;
  /** True for an administrator. */
  readonly is_admin: boolean;
  /** Null for who has none in the admin area. */
  readonly role: Role | null;
  readonly created_at: string;
  readonly email_confirmed_at: string | null;
  readonly last_sign_in_at: string | null;
  readonly banned_until: string | null;
  readonly deleted_at: string | null;
}

async function handleList(isJson: boolean, withContext: WithContext): Promise<void> {
  const records = await withContext(async (context) => {
    const roles = await findRoles(context);
    return (await context.get(UsersService).listUsers(OPERATOR)).map((user) => toRecord(user, roles));
  });
  if (isJson) return writeJson(records);
  const rows = records.map((user) => [stateOf(user), user.created_at, user.id, user.email ?? '']);
  process.stdout.write(rows.length === 0 ? 'There are no users yet.\n' : formatColumns(rows));
}

async function handleShow(emailOrId: string, isJson: boolean, withContext: WithContext): Promise<void> {
  const record = await withContext(async (context) => {
    const user = await findUser(context, emailOrId);
    return toRecord(user, await findRoles(context));
  });
  if (isJson) return writeJson(record);
  const rows = Object.entries({ state: stateOf(record), ...record }).map(([name, value]) => [
    name.replaceAll('_', ' '),
    typeof value === 'boolean' ? (value ? 'yes' : 'no') : (value ?? '-'),
  ]);
  process.stdout.write(formatColumns(rows));
}

/** The roles in the admin area, by the ids of those who have one. */
async function findRoles(context: CliContext): Promise<ReadonlyMap<string, Role>> {
  return new Map((await context.get(RolesService).list(OPERATOR)).map(({ userId, role }) => [userId, role]));
}

function toRecord(user: UserAccount, roles: ReadonlyMap<string, Role>): UserRecord {
  const role = roles.get(user.id) ?? null;
  return {
    id: user.id,
    email: user.email,
    is_admin: role === 'admin',
    role,
    created_at: user.createdAt.toISOString(),
    email_confirmed_at: user.emailConfirmedAt?.toISOString() ?? null,
    last_sign_in_at: user.lastSignInAt?.toISOString() ?? null,
    banned_until: user.bannedUntil?.toISOString() ?? null,
    deleted_at: user.deletedAt?.toISOString() ?? null,
  };
}

function stateOf(user: UserRecord): string {
  if (user.deleted_at !== null) return 'deleted';
  if (user.banned_until !== null) return 'banned';
  if (user.email_confirmed_at === null) return 'unconfirmed';
  return user.role ?? 'user';
}

/** `users list` and `users show`. */
export function registerUserListCommands(users: Command, withContext: WithContext): void {
  guide(
    users
      .command('list')
      .description('every account, the newest first')
      .option('--json', 'write JSON')
      .action((flags: { readonly json?: true }) => handleList(flags.json === true, withContext)),
    {
      examples: [
        ['', 'all of them'],
        ['--json', 'for programs'],
      ],
      remarks:
        'An account that a program has deleted softly is a row in the state “deleted”, with a hash in the place of its ' +
        'address. `users delete` with its id removes it for good.',
    },
  );
  guide(
    users
      .command('show')
      .description('one account')
      .argument('<user>', 'the account, by email address or id')
      .option('--json', 'write JSON')
      .action((emailOrId: string, flags: { readonly json?: true }) =>
        handleShow(emailOrId, flags.json === true, withContext),
      ),
    {
      examples: [
        ['anna@example.com', 'by address'],
        ['0197a0c4-5b5e-7c3a-9d57-1c2f4f6e8a90 --json', 'by id, for programs'],
      ],
    },
  );
}
