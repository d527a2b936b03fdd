import type { Command } from 'commander';
import { CONFIG, type Config } from '../../src/config/config.js';
import { MailSenderService } from '../../src/mail/mail-sender.service.js';
import type { WithContext } from '../context.js';
import { guide } from '../guide.js';

async function handleTest(address: string, withContext: WithContext): Promise<void> {
  const { transport } = await withContext(async (context) => {
    await context.get(MailSenderService).sendTest(address);
    return context.get<Config>(CONFIG).mail;
  });
  const isCaptured = transport.kind === 'capture';
  const where = isCaptured ? `It was kept in ${transport.folder}: mails are captured.` : 'The mail server took it.';
  process.stdout.write(`Sent a mail to ${address}. ${where}\n`);
}

/** `mail`: whether mails can be sent. */
export function registerMailCommands(program: Command, withContext: WithContext): void {
  const mail = program.command('mail').description('sending mails');
  guide(
    mail
      .command('test')
      .description('send a mail now, to find out whether SMTP_URL is right')
      .argument('<address>', 'whom to send it to')
      .action((address: string) => handleTest(address, withContext)),
    {
      examples: [['you@example.com', 'send yourself a mail']],
    },
  );
}
