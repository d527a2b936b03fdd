import type { Command } from 'commander';
import { UserImportService } from '../../src/auth/admin/user-import.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { WithContext } from '../context.js';
import { guide } from '../guide.js';
import { reportImport, spareSource, type ReportFlags } from '../report-import.js';

async function handleImport(path: string, flags: ReportFlags, withContext: WithContext): Promise<void> {
  spareSource(path, flags);
  const options = { isDryRun: flags.dryRun === true };
  await withContext((context) =>
    reportImport(flags, 'users', ({ update }) =>
      context.get(UserImportService).importUsers(OPERATOR, path, options, update),
    ),
  );
}

/** `users import`. */
export function registerUserImportCommand(users: Command, withContext: WithContext): void {
  guide(
    users
      .command('import')
      .description("take in the hosted service's users with their passwords; running it again changes nothing")
      .argument('<file>', 'the rows of auth.users as CSV with a header, or as a JSON array')
      .option('--dry-run', 'only say what would happen')
      .option(
        '--report <file>',
        'write the report into a file too, as a page or as JSON if its name ends in .html or .json',
      )
      .option('--json', 'write the report as JSON')
      .action((path: string, flags: ReportFlags) => handleImport(path, flags, withContext)),
    {
      examples: [
        ['users.csv --dry-run', 'see what would come over'],
        ['users.csv --report users-report.json', 'take them in, and keep the report'],
      ],
      remarks:
        'People keep their ids and sign in with the passwords they have; who has none, or one in an unknown form, sets one by “Forgot password”. Whoever had not confirmed their address there has still to do so here. Deleted and anonymous users are passed over. Passwords that were used or set here since an earlier import stay. Second factors do not come over: people add theirs anew. Administrators are named afterward, with `roles grant`.',
      partly: 'some rows were refused, the others are taken',
    },
  );
}
