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
import { ENQUIRY_DELIVERIES, ENQUIRY_STATES } from '../../src/shared/contracts/enquiries.js';
import { FORCE_OPTION } from '../export-file.js';
import { guide } from '../guide.js';

/** `enquiries`: enquiries from the contact form. */
export function registerEnquiryCommands(program: Command, withContext: WithContext): void {
  const enquiries = program.command('enquiries').description('what people wrote with the contact form');
  const ids = ['<id...>', 'enquiries, by their ids'] as const;
  guide(
    enquiries
      .command('list')
      .description('enquiries and how far their mails are, the newest first')
      .addOption(new Option('--state <state>', 'only those').choices(ENQUIRY_STATES))
      .addOption(new Option('--delivery <state>', 'only those whose mail is that far').choices(ENQUIRY_DELIVERIES))
      .option('--assignee <email>', 'only those that this administrator looks after, or none')
      .option('--search <words>', 'only those with these words in name, address or message')
      .option('--json', 'write JSON')
      .action((flags: ListFlags) => handleList(flags, withContext)),
    {
      remarks: 'Spam is listed with --state spam alone; enquiries export has it as well.',
      examples: [
        ['', 'all but spam'],
        ['--state new', 'those that nobody has opened'],
        ['--assignee none', 'those that nobody looks after'],
        ['--delivery failing', 'those whose mail cannot be delivered'],
        ["--search 'broken printer' --json", 'those with these words, for programs'],
      ],
    },
  );
  guide(
    enquiries
      .command('show')
      .description('one enquiry with its message')
      .argument('<id>', 'the enquiry')
      .option('--json', 'write JSON')
      .action((id: string, flags: { readonly json?: true }) => handleShow(id, flags.json === true, withContext)),
    {
      examples: [['0197a0c4-5b5e-7c3a-9d57-1c2f4f6e8a90', 'one enquiry, by the id that the list shows']],
    },
  );
  guide(
    enquiries
      .command('resend')
      .description('send mails now: again if the mail server took them, else without waiting; a server delivers them')
      .argument(...ids)
      .action((list: string[]) => handleResend(list, withContext)),
    {
      partly: 'some were refused, and are named',
      examples: [['0197a0c4-5b5e-7c3a-9d57-1c2f4f6e8a90', 'send the mail of one enquiry']],
    },
  );
  guide(
    enquiries
      .command('export')
      .description('enquiries as a file; the CSV is safe to open in a spreadsheet')
      .addOption(new Option('--format <format>', 'the format').choices(['csv', 'json']).default('csv'))
      .addOption(new Option('--state <state>', 'only those').choices(ENQUIRY_STATES))
      .addOption(new Option('--delivery <state>', 'only those whose mail is that far').choices(ENQUIRY_DELIVERIES))
      .option('--assignee <email>', 'only those that this administrator looks after, or none')
      .option('--search <words>', 'only those with these words in name, address or message')
      .option('--output <file>', 'a file for your eyes only, instead of the standard output')
      .option(...FORCE_OPTION)
      .action((flags: ExportFlags) => handleExport(flags, withContext)),
    {
      remarks: 'With --output, CSV begins with a byte order mark, for umlauts in Excel; the standard output has none.',
      examples: [
        ['--output enquiries.csv', 'a file for a spreadsheet'],
        ['--format json', 'for programs'],
      ],
    },
  );
  const erase = enquiries
    .command('erase')
    .description('erase enquiries, their jobs and their captured mails; nothing brings them back')
    .argument(...ids)
    .option('--yes', 'you are sure');
  erase.action((list: string[], flags: EraseFlags) => {
    if (!flags.yes) erase.error('error: nothing brings an erased enquiry back: give --yes if you are sure');
    return handleErase(list, withContext);
  });
  guide(erase, {
    partly: 'some were refused, and are named',
    examples: [['0197a0c4-5b5e-7c3a-9d57-1c2f4f6e8a90 --yes', 'one enquiry, by the id that the list shows']],
  });
}
