import { InvalidArgumentError, Option, type Command } from 'commander';
import { AuditLogService } from '../../src/audit/audit-log.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { auditSubjectTypes, type AuditEntry } from '../../src/shared/contracts/audit.js';
import { formatColumns } from '../columns.js';
import type { WithContext } from '../context.js';
import { guide } from '../guide.js';

const LIMIT_MAX = 1000;

interface Flags {
  readonly type?: string;
  readonly id?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly limit: number;
  readonly json?: true;
}

async function handleList(flags: Flags, withContext: WithContext): Promise<void> {
  const { type, id, actor, action, limit } = flags;
  const query = { subject_type: type, subject_id: id, actor, action };
  const { items } = await withContext((context) => context.get(AuditLogService).list(OPERATOR, query, limit));
  process.stdout.write(flags.json ? `${JSON.stringify(items, null, 2)}\n` : formatTable(items));
}

function formatTable(items: readonly AuditEntry[]): string {
  if (items.length === 0) return 'There are no such entries.\n';
  return formatColumns(items.map((item) => [item.at, item.actor ?? item.actor_kind, item.action, item.subject]));
}

function toLimit(value: string): number {
  const limit = Number(value);
  if (Number.isInteger(limit) && limit >= 1 && limit <= LIMIT_MAX) return limit;
  throw new InvalidArgumentError(`It is a number from 1 to ${LIMIT_MAX}.`);
}

/** `audit`: the audit log. */
export function registerAuditCommands(program: Command, withContext: WithContext): void {
  const audit = program.command('audit').description('who did what to which post or account');
  guide(
    audit
      .command('list')
      .description('the latest first')
      .addOption(new Option('--type <type>', 'only what was done to such a thing').choices(auditSubjectTypes))
      .option('--id <id>', 'only what was done to the one of that id')
      .option('--actor <actor>', 'only what that email address, operator, program or system did')
      .option('--action <action>', 'only that, such as post.published')
      .option('--limit <number>', 'how many', toLimit, 50)
      .option('--json', 'write JSON')
      .action((flags: Flags) => handleList(flags, withContext)),
    {
      examples: [
        ['', 'the latest 50'],
        ['--type post --action post.published --limit 10', 'the ten posts that were published last'],
        ['--actor anna@example.com --json', 'everything that one person did, for programs'],
      ],
    },
  );
}
