import type { Command } from 'commander';
import type { WithContext } from '../context.js';
import { registerEditCommands } from './posts-edit.js';
import { registerExportCommand } from './posts-export.js';
import { registerImportCommand } from './posts-import.js';
import { registerListCommand } from './posts-list.js';
import { registerChangeCommands } from './posts-change.js';
import { registerSearchReplaceCommand } from './posts-search-replace.js';

/** `posts`: the blog. */
export function registerPostCommands(program: Command, withContext: WithContext): void {
  const posts = program.command('posts').description('the posts of the blog');
  registerImportCommand(posts, withContext);
  registerExportCommand(posts, withContext);
  registerListCommand(posts, withContext);
  registerEditCommands(posts, withContext);
  registerChangeCommands(posts, withContext);
  registerSearchReplaceCommand(posts, withContext);
}
