import type { Command } from 'commander';
import type { WithContext } from '../context.js';
import { registerExportCommand } from './posts-export.js';
import { registerImportCommand } from './posts-import.js';
import { registerListCommand } from './posts-list.js';
import { registerPublishCommands } from './posts-publish.js';

/** `posts`: the blog. */
export function registerPostCommands(program: Command, withContext: WithContext): void {
  const posts = program.command('posts').description('the posts of the blog');
  registerImportCommand(posts, withContext);
  registerExportCommand(posts, withContext);
  registerListCommand(posts, withContext);
  registerPublishCommands(posts, withContext);
}
