import type { Command } from 'commander';
import { UserSessionsService } from '../../src/auth/sessions/user-sessions.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { AccountSession } from '../../src/shared/contracts/account.js';
import { formatColumns } from '../columns.js';
import type { WithContext } from '../context.js';
import { findUser, nameOf } from '../find-user.js';
import { guide } from '../guide.js';
import { writeJson } from '../write-json.js';

interface EndFlags {
  readonly session?: string;
  readonly all?: true;
}

async function handleList(emailOrId: string, isJson: boolean, withContext: WithContext): Promise<void> {
  const { items, total } = await withContext(async (context) => {
    const user = await findUser(context, emailOrId);
    return await context.get(UserSessionsService).list(OPERATOR, user.id, null);
  });
  const records = items.map(({ is_current: _, ...record }) => record);
  const more = total > items.length ? `And ${total - items.length} more, last used before these.\n` : '';
  if (isJson) {
    writeJson(records);
    process.stderr.write(more);
    return;
  }
  if (total === 0) return void process.stdout.write('Signed in nowhere.\n');
  process.stdout.write(formatColumns(items.map(toRow)) + more);
}

function toRow(session: AccountSession): string[] {
  const device = `${session.browser ?? 'unknown browser'} on ${session.system ?? 'unknown system'}`;
  const { id, last_used_at, created_at, ip, has_second_factor } = session;
  return [last_used_at, created_at, id, has_second_factor ? 'aal2' : 'aal1', ip ?? '-', device];
}

async function handleEnd(emailOrId: string, { session }: EndFlags, withContext: WithContext): Promise<void> {
  const sentence = await withContext(async (context) => {
    const user = await findUser(context, emailOrId);
    const sessions = context.get(UserSessionsService);
    if (session === undefined) {
      const ended = await sessions.endOthers(OPERATOR, user.id, null);
      return `${nameOf(user)} is signed out everywhere: ${ended} ${ended === 1 ? 'session' : 'sessions'} ended.`;
    }
    await sessions.end(OPERATOR, user.id, session);
    return `Ended one session of ${nameOf(user)}.`;
  });
  process.stdout.write(`${sentence}\n`);
}

/** `users sessions list|end`. */
export function registerUserSessionCommands(users: Command, withContext: WithContext): void {
  const sessions = users.command('sessions').description('the devices on which accounts are signed in');
  const user = ['<user>', 'the account, by email address or id'] as const;
  guide(
    sessions
      .command('list')
      .description('the sessions of an account, the last used first')
      .argument(...user)
      .option('--json', 'write JSON')
      .action((emailOrId: string, flags: { readonly json?: true }) =>
        handleList(emailOrId, flags.json === true, withContext),
      ),
    {
      remarks: 'The columns: last used, begun, id, aal2 if a second factor was shown, address, browser and system.',
      examples: [
        ['anna@example.com', 'where somebody is signed in'],
        ['anna@example.com --json', 'for programs'],
      ],
    },
  );
  const end = sessions
    .command('end')
    .description('sign out one device of an account, or all of them')
    .argument(...user)
    .option('--session <id>', 'the session, as `list` shows it')
    .option('--all', 'every session');
  end.action((emailOrId: string, flags: EndFlags) => {
    if ((flags.session === undefined) === (flags.all === undefined)) {
      end.error('error: give either --session with an id, or --all');
    }
    return handleEnd(emailOrId, flags, withContext);
  });
  guide(end, {
    remarks: 'Its tokens open nothing from that moment on. The password stays: see `users reset-password`.',
    examples: [
      ['anna@example.com --all', 'after a device was lost'],
      ['anna@example.com --session 0197a0c4-5b5e-7c3a-9d57-1c2f4f6e8a90', 'one of them'],
    ],
  });
}
