import type { Command } from 'commander';
import { OPERATOR } from '../../src/shared/actor.js';
import { WebhooksService } from '../../src/webhooks/webhooks.service.js';
import { formatColumns } from '../columns.js';
import type { WithContext } from '../context.js';
import { guide } from '../guide.js';
import { printable } from '../printable.js';
import { writeJson } from '../write-json.js';

async function handleTest(withContext: WithContext): Promise<void> {
  const { isDelivered, reason, status } = await withContext((context) =>
    context.get(WebhooksService).sendTest(OPERATOR),
  );
  if (isDelivered) process.stdout.write(`It was taken (${status}).\n`);
  else throw new Error(`It was not taken: ${reason}`);
}

async function handleList(isJson: boolean, withContext: WithContext): Promise<void> {
  const { host, deliveries } = await withContext((context) => context.get(WebhooksService).list(OPERATOR));
  if (isJson) return writeJson(deliveries);
  const rows = deliveries.map(({ created_at: at, type, state, attempts, last_error: error, text }) => [
    at,
    type,
    state,
    `${attempts} ${attempts === 1 ? 'try' : 'tries'}`,
    printable(error ?? text),
  ]);
  const none = host === null ? 'No webhook is set (NOTIFY_WEBHOOK_URL).\n' : `Nothing was sent to ${host} yet.\n`;
  process.stdout.write(rows.length === 0 ? none : formatColumns(rows));
}

/** `webhooks`: what another system is told. */
export function registerWebhookCommands(program: Command, withContext: WithContext): void {
  const webhooks = program.command('webhooks').description('telling another system of enquiries and alarms');
  guide(
    webhooks
      .command('test')
      .description('send a message now, once, to find out whether NOTIFY_WEBHOOK_URL takes it')
      .action(() => handleTest(withContext)),
    { examples: [['', 'find out whether it arrives']] },
  );
  guide(
    webhooks
      .command('list')
      .description('the newest 100 messages of the last 30 days, the newest first, and why they failed')
      .option('--json', 'write JSON')
      .action((flags: { readonly json?: true }) => handleList(flags.json === true, withContext)),
    {
      examples: [
        ['', 'for people'],
        ['--json', 'for programs'],
      ],
    },
  );
}
