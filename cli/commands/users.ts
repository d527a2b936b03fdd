import type { Command } from 'commander';
import type { WithContext } from '../context.js';
import { registerUserChangeCommands } from './users-change.js';
import { registerUserCreateCommands } from './users-create.js';
import { registerUserFactorCommands } from './users-factors.js';
import { registerUserImportCommand } from './users-import.js';
import { registerUserListCommands } from './users-list.js';
import { registerUserSessionCommands } from './users-sessions.js';

/** `users`: the accounts. */
export function registerUserCommands(program: Command, withContext: WithContext): void {
  const users = program.command('users').description('the accounts of people');
  registerUserCreateCommands(users, withContext);
  registerUserChangeCommands(users, withContext);
  registerUserListCommands(users, withContext);
  registerUserSessionCommands(users, withContext);
  registerUserFactorCommands(users, withContext);
  registerUserImportCommand(users, withContext);
}
