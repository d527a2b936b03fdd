import type { Command } from 'commander';
import { FactorsService } from '../../src/auth/factors/factors.service.js';
import { PasskeysService } from '../../src/auth/webauthn/passkeys.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { formatColumns } from '../columns.js';
import type { WithContext } from '../context.js';
import { findUser, nameOf } from '../find-user.js';
import { guide } from '../guide.js';
import { writeJson } from '../write-json.js';

interface RemoveFlags {
  readonly factor?: string;
  readonly all?: true;
}

/** A second factor or a passkey, as it is listed. */
interface Listed {
  readonly id: string;
  readonly factor_type: string;
  readonly status: string;
  readonly friendly_name?: string;
  readonly created_at: Date;
}

async function handleList(emailOrId: string, isJson: boolean, withContext: WithContext): Promise<void> {
  const factors = await withContext(async (context): Promise<Listed[]> => {
    const user = await findUser(context, emailOrId);
    const passkeys = await context.get(PasskeysService).listOf(OPERATOR, user.id);
    return [
      ...(await context.get(FactorsService).list(OPERATOR, user.id)),
      ...passkeys.map((passkey) => ({ ...passkey, factor_type: 'passkey', status: 'verified' })),
    ];
  });
  if (isJson) return writeJson(factors);
  if (factors.length === 0) return void process.stdout.write('No second factors, and no passkeys.\n');
  process.stdout.write(formatColumns(factors.map(toRow)));
}

function toRow({ created_at, id, status, factor_type, friendly_name = '-' }: Listed): string[] {
  return [factor_type, status, created_at.toISOString(), id, friendly_name];
}

async function handleRemove(emailOrId: string, { factor }: RemoveFlags, withContext: WithContext): Promise<void> {
  const sentence = await withContext(async (context) => {
    const user = await findUser(context, emailOrId);
    const factors = context.get(FactorsService);
    const passkeys = context.get(PasskeysService);
    if (factor === undefined) {
      const count = (await factors.removeAll(OPERATOR, user.id)) + (await passkeys.removeAllOf(OPERATOR, user.id));
      return `${nameOf(user)} has no second factor and no passkey any more: ${count} removed.`;
    }
    if ((await passkeys.listOf(OPERATOR, user.id)).some(({ id }) => id === factor)) {
      await passkeys.removeOf(OPERATOR, user.id, factor);
      return `Removed a passkey of ${nameOf(user)}.`;
    }
    await factors.remove(OPERATOR, user.id, factor);
    const left = (await factors.list(OPERATOR, user.id)).length;
    return `Removed a second factor of ${nameOf(user)}, who has ${left === 0 ? 'none' : left} now.`;
  });
  process.stdout.write(`${sentence}\n`);
}

/** `users factors list|remove`. */
export function registerUserFactorCommands(users: Command, withContext: WithContext): void {
  const factors = users.command('factors').description('the second factors and passkeys of accounts');
  const user = ['<user>', 'the account, by email address or id'] as const;
  guide(
    factors
      .command('list')
      .description('the second factors of an account, and then its passkeys, the oldest first')
      .argument(...user)
      .option('--json', 'write JSON')
      .action((emailOrId: string, flags: { readonly json?: true }) =>
        handleList(emailOrId, flags.json === true, withContext),
      ),
    {
      remarks: 'The columns: kind, verified or not, added, id, name.',
      examples: [
        ['anna@example.com', 'what somebody signs in with beside the password'],
        ['anna@example.com --json', 'for programs'],
      ],
    },
  );
  const remove = factors
    .command('remove')
    .description('remove a second factor or a passkey of an account, or all of them')
    .argument(...user)
    .option('--factor <id>', 'the factor or passkey, as `list` shows it')
    .option('--all', 'every factor and every passkey');
  remove.action((emailOrId: string, flags: RemoveFlags) => {
    if ((flags.factor === undefined) === (flags.all === undefined)) {
      remove.error('error: give either --factor with an id, or --all');
    }
    return handleRemove(emailOrId, flags, withContext);
  });
  guide(remove, {
    remarks:
      'For people who have lost their phone: make sure that it is them who ask. Recovery codes go with the last other ' +
      'factor. Sessions that a removed factor has raised go on without it.',
    examples: [
      ['anna@example.com --all', 'the password alone signs in again'],
      ['anna@example.com --factor 0197a0c4-5b5e-7c3a-9d57-1c2f4f6e8a90', 'one of them'],
    ],
  });
}
