import type { Command } from 'commander';
import type { WithContext } from '../context.js';
import { registerUserChangeCommands } from './users-change.js';
import { registerUserImportCommand } from './users-import.js';
import { registerUserListCommands } from './users-list.js';

/** `users`: the accounts. */
export function registerUserCommands(program: Command, withContext: WithContext): void {
  const users = program.command('users').description('the accounts of people');
  registerUserChangeCommands(users, withContext);
  registerUserListCommands(users, withContext);
  registerUserImportCommand(users, withContext);
}
