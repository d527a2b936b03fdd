import 'reflect-metadata';
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../src/config/config.js';
import { PRODUCT_VERSION } from '../src/config/version.js';
import { DoctorService } from '../src/doctor/doctor.service.js';
import { registerAuditCommands } from './commands/audit.js';
import { registerAuthCommands } from './commands/auth-keys.js';
import { registerBackupCommands } from './commands/backup.js';
import { registerCommentCommands } from './commands/comments.js';
import { registerConfigCommands } from './commands/config.js';
import { registerCompletionCommand } from './commands/completion.js';
import { registerDatabaseCommands } from './commands/db.js';
import { registerDemoCommand } from './commands/demo.js';
import { registerDocsCommand } from './commands/docs.js';
import { registerDoctorCommand } from './commands/doctor.js';
import { registerEnquiryCommands } from './commands/enquiries.js';
import { registerLinkCommands } from './commands/links.js';
import { registerMailCommands } from './commands/mail.js';
import { registerMediaCommands } from './commands/media.js';
import { registerPostCommands } from './commands/posts.js';
import { registerPrivacyCommands } from './commands/privacy.js';
import { registerRedirectCommands } from './commands/redirects.js';
import { registerRoleCommands } from './commands/roles.js';
import { registerSettingsCommands } from './commands/settings.js';
import { registerSetupCommand } from './commands/setup.js';
import { registerUserCommands } from './commands/users.js';
import { registerWebhookCommands } from './commands/webhooks.js';
import { paint } from './colors.js';
import { withContext as withOwnContext, type WithContext } from './context.js';
import { EXIT_CODES, InterruptedError } from './exit-codes.js';
import { PROGRAM_NAME } from './guide.js';
import { pointToHelp, prepareProgram, refuseRepeatedOptions } from './command-setup.js';
import { printable } from './printable.js';

/** The command line with all its commands; those on posts and accounts get the application from `withContext`. */
export function createProgram(withContext: WithContext = withOwnContext): Command {
  const program = prepareProgram(new Command(PROGRAM_NAME))
    .description('Runs the website: posts, redirects, accounts, enquiries, backups, database, settings, configuration.')
    .version(PRODUCT_VERSION, '--version', 'show the version of the product');
  registerConfigCommands(program);
  registerDatabaseCommands(program, withContext);
  registerDemoCommand(program);
  registerPostCommands(program, withContext);
  registerCommentCommands(program, withContext);
  registerUserCommands(program, withContext);
  registerRoleCommands(program, withContext);
  registerAuditCommands(program, withContext);
  registerAuthCommands(program);
  registerBackupCommands(program);
  registerDoctorCommand(program);
  registerEnquiryCommands(program, withContext);
  registerLinkCommands(program, withContext);
  registerMailCommands(program, withContext);
  registerMediaCommands(program, withContext);
  registerPrivacyCommands(program, withContext);
  registerRedirectCommands(program, withContext);
  registerSettingsCommands(program, withContext);
  registerSetupCommand(program, withContext);
  registerWebhookCommands(program, withContext);
  registerCompletionCommand(program);
  registerDocsCommand(program);
  pointToHelp(program);
  refuseRepeatedOptions(program);
  return program;
}

/**
 * Runs one command; the exit code is 0 when all is well, 1 when some items were refused, 2 when nothing was
 * done or it broke off, 130 when a person pressed Ctrl+C at a question.
 * @param withContext where commands on posts and accounts get the application from; by default each starts it
 */
export async function run(argv: readonly string[], withContext: WithContext = withOwnContext): Promise<void> {
  try {
    await createProgram(withContext).parseAsync(argv);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : EXIT_CODES.nothingDone;
      return;
    }
    if (error instanceof InterruptedError) {
      process.exitCode = EXIT_CODES.interrupted;
      return;
    }
    // It may quote a file, or the answer of another server.
    process.stderr.write(`${paint('bad', printable(describe(error)), process.stderr)}\n`);
    process.exitCode = EXIT_CODES.nothingDone;
  }
}

/** Describes an error for the operator; the stack trace is shown on request only. */
function describe(error: unknown): string {
  if (error instanceof ConfigError || !(error instanceof Error))
    return String(error instanceof Error ? error.message : error);
  // By itself it names an address at most.
  const explained = new DoctorService().explain(error);
  if (explained !== null) return `Error: The database at ${explained.message}\n${explained.advice}`;
  const detail = error instanceof AggregateError ? error.errors.map(String).join('; ') : error.message;
  return `Error: ${detail}`;
}
