import type { Command } from 'commander';
import { PrivacyService } from '../../src/privacy/privacy.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { WithContext } from '../context.js';
import { guide } from '../guide.js';
import { writeJson } from '../write-json.js';

interface Flags {
  readonly email: string;
  readonly yes?: true;
}

async function handleExport({ email }: Flags, withContext: WithContext): Promise<void> {
  const data = await withContext((context) => context.get(PrivacyService).export(OPERATOR, email));
  writeJson(data);
}

async function handleErase({ email }: Flags, withContext: WithContext): Promise<void> {
  const { accounts, enquiries, capturedMails, claimedIdentities } = await withContext((context) =>
    context.get(PrivacyService).erase(OPERATOR, email),
  );
  const erased = `accounts ${accounts}, enquiries ${enquiries}, captured mails ${capturedMails}`;
  process.stdout.write(`Erased: ${erased}, the address in identities of other accounts ${claimedIdentities}.\n`);
}

/** `privacy`: exports or erases the data about one person. */
export function registerPrivacyCommands(program: Command, withContext: WithContext): void {
  const privacy = program.command('privacy').description('what is kept about one person');
  const email = ['--email <address>', 'the address of the person'] as const;
  guide(
    privacy
      .command('export')
      .description('everything that is kept about someone, as JSON')
      .requiredOption(...email)
      .action((flags: Flags) => handleExport(flags, withContext)),
    {
      remarks:
        'An account is found by its own address alone. Where an account with another one has this address from a ' +
        'sign-in provider, `claimed_identities` has what that provider told, if it vouches for the address; else ' +
        'only that somebody gave it.',
      examples: [['--email anna@example.com > anna.json', 'answer a person who asks what is kept about them']],
    },
  );
  const erase = privacy
    .command('erase')
    .description('remove everything that is kept about someone; nothing brings it back')
    .requiredOption(...email)
    .option('--yes', 'you are sure');
  erase.action((flags: Flags) => {
    if (!flags.yes) erase.error('error: nothing brings it back: give --yes if you are sure');
    return handleErase(flags, withContext);
  });
  guide(erase, {
    remarks:
      'That is the account, enquiries, jobs, kept mails and log entries. Export it first, if it may be asked ' +
      'for. Where an account with another address has this one from a sign-in provider, the address is taken ' +
      'out of what the provider told, and the account stays, as does the id that the provider has for it: ' +
      'erase it by its own address. Whoever signs in with that provider again brings the address back.',
    examples: [['--email anna@example.com --yes', 'for a person who asks to be forgotten']],
  });
}
