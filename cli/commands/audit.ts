import { InvalidArgumentError, Option, type Command } from 'commander';
import { AuditLogService } from '../../src/audit/audit-log.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { auditSubjectTypes, type AuditEntry } from '../../src/shared/contracts/audit.js';
import { formatColumns } from '../columns.js';
import type { CliContext, WithContext } from '../context.js';
import { guide } from '../guide.js';

const PAGE = 1000;

interface Flags {
  readonly type?: string;
  readonly id?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly limit: number;
  readonly json?: true;
}

async function handleList(flags: Flags, withContext: WithContext): Promise<void> {
  const { items, hasEarlier } = await withContext((context) => readLatest(context, flags));
  process.stdout.write(flags.json ? `${JSON.stringify(items, null, 2)}\n` : formatTable(items));
  if (hasEarlier) process.stderr.write('There are earlier ones: --limit <number> lists more.\n');
}

async function readLatest(context: CliContext, { type, id, actor, action, limit }: Flags) {
  const log = context.get(AuditLogService);
  const query = { subject_type: type, subject_id: id, actor, action };
  const items: AuditEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await log.list(OPERATOR, { ...query, cursor }, Math.min(PAGE, limit - items.length));
    items.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && items.length < limit);
  return { items, hasEarlier: cursor !== undefined };
}

function formatTable(items: readonly AuditEntry[]): string {
  if (items.length === 0) return 'There are no such entries.\n';
  return formatColumns(items.map((item) => [item.at, item.actor ?? item.actor_kind, item.action, item.subject]));
}

function toLimit(value: string): number {
  const limit = Number(value);
  if (Number.isInteger(limit) && limit >= 1) return limit;
  throw new InvalidArgumentError('It is a whole number from 1.');
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
        [
          '--actor anna@example.com --limit 100000 --json',
          'what one person did, the latest 100,000 of it at most, for programs',
        ],
      ],
      remarks: 'Where there are earlier entries than those that are listed, the standard error says so.',
    },
  );
}
