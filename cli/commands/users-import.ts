import type { Command } from 'commander';
import { UserImportService } from '../../src/auth/user-import.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { WithContext } from '../context.js';
import { exitCodeFor } from '../exit-codes.js';
import { guide } from '../guide.js';
import { noProgress, showProgress } from '../import-progress.js';
import { fileReport, jsonReport, noCounts, textReport, type ImportCounts } from '../import-report.js';

interface Flags {
  readonly dryRun?: true;
  readonly report?: string;
  readonly json?: true;
}

async function handleImport(path: string, flags: Flags, withContext: WithContext): Promise<void> {
  const counts = await withContext((context) => importAndReport(context.get(UserImportService), path, flags));
  const items = Object.values(counts).reduce((sum, count) => sum + count, 0) - counts.skipped;
  process.exitCode = exitCodeFor(items, counts.refused);
}

async function importAndReport(service: UserImportService, path: string, flags: Flags): Promise<ImportCounts> {
  const isDryRun = flags.dryRun === true;
  const progress = flags.json ? noProgress : showProgress(process.stderr);
  const write = (text: string) => void process.stdout.write(text);
  const counts = noCounts();
  const items = service.importUsers(OPERATOR, path, { isDryRun }, (done, total) => progress.read(done, total));
  // The first item is asked for before anything is written: a file that cannot be read leaves no half a report.
  let next = await items.next();
  const reports = [
    flags.json ? jsonReport(write, isDryRun) : textReport(write, isDryRun),
    ...(flags.report === undefined ? [] : [fileReport(flags.report, isDryRun)]),
  ];
  try {
    for (; next.done !== true; next = await items.next()) {
      progress.count();
      counts[next.value.outcome] += 1;
      for (const report of reports) report.add(next.value);
    }
  } finally {
    progress.stop();
  }
  for (const report of reports) report.end(counts);
  return counts;
}

/** `users import`. */
export function registerUserImportCommand(users: Command, withContext: WithContext): void {
  guide(
    users
      .command('import')
      .description("take in the hosted service's users with their passwords; running it again changes nothing")
      .argument('<file>', 'the rows of auth.users as CSV with a header, or as a JSON array')
      .option('--dry-run', 'only say what would happen')
      .option('--report <file>', 'write the report into a file too, as JSON if its name ends in .json')
      .option('--json', 'write the report as JSON')
      .action((path: string, flags: Flags) => handleImport(path, flags, withContext)),
    {
      examples: [
        ['users.csv --dry-run', 'see what would come over'],
        ['users.csv --report users-report.json', 'take them in, and keep the report'],
      ],
      remarks:
        'People keep their ids and sign in with the passwords they have; who has none, or one in an unknown form, sets one by “Forgot password”. Whoever had not confirmed their address there has still to do so here. Deleted and anonymous users are passed over. Passwords that were used or set here since an earlier import stay. Administrators are named afterwards, with `roles grant`.',
      partly: 'some rows were refused, the others are taken',
    },
  );
}
