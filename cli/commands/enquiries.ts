import { Option, type Command } from 'commander';
import type { WithContext } from '../context.js';
import {
  handleErase,
  handleExport,
  handleList,
  handleResend,
  handleShow,
  type EraseFlags,
  type ExportFlags,
  type ListFlags,
} from '../enquiry-actions.js';
import { ENQUIRY_STATES } from '../../src/shared/contracts/enquiries.js';

/** `enquiries`: what people wrote with the contact form. */
export function registerEnquiryCommands(program: Command, withContext: WithContext): void {
  const enquiries = program.command('enquiries').description('what people wrote with the contact form');
  const ids = ['<id...>', 'enquiries, by their ids'] as const;
  enquiries
    .command('list')
    .description('enquiries and how far their mails are, the newest first')
    .addOption(new Option('--state <state>', 'only those').choices(ENQUIRY_STATES))
    .option('--search <words>', 'only those with these words in name, address or message')
    .option('--json', 'write JSON')
    .action((flags: ListFlags) => handleList(flags, withContext));
  enquiries
    .command('show')
    .description('one enquiry with its message')
    .argument('<id>', 'the enquiry')
    .option('--json', 'write JSON')
    .action((id: string, flags: { readonly json?: true }) => handleShow(id, flags.json === true, withContext));
  enquiries
    .command('resend')
    .description('send mails now: again if the mail server took them, else without waiting; a server delivers them')
    .argument(...ids)
    .action((list: string[]) => handleResend(list, withContext));
  enquiries
    .command('export')
    .description('every enquiry; the CSV is safe to open in a spreadsheet')
    .addOption(new Option('--format <format>', 'the format').choices(['csv', 'json']).default('csv'))
    .option('--output <file>', 'a file for your eyes only, instead of the standard output')
    .action((flags: ExportFlags) => handleExport(flags, withContext));
  const erase = enquiries
    .command('erase')
    .description('erase enquiries, their jobs and their captured mails; nothing brings them back')
    .argument(...ids)
    .option('--yes', 'you are sure');
  erase.action((list: string[], flags: EraseFlags) => {
    if (!flags.yes) erase.error('error: nothing brings an erased enquiry back: give --yes if you are sure');
    return handleErase(list, withContext);
  });
}
