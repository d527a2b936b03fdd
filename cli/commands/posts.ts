import type { Command } from 'commander';
import type { CliContext } from '../context.js';
import { registerImportCommand } from './posts-import.js';
import { registerListCommand } from './posts-list.js';
import { registerPublishCommands } from './posts-publish.js';

/** Gives a command the application's services, for as long as it runs. */
export type WithContext = <T>(task: (context: CliContext) => Promise<T>) => Promise<T>;

/** `posts`: the blog. */
export function registerPostCommands(program: Command, openContext: () => Promise<CliContext>): void {
  const withContext: WithContext = async (task) => {
    const context = await openContext();
    try {
      return await task(context);
    } finally {
      await context.close();
    }
  };
  const posts = program.command('posts').description('the posts of the blog');
  registerImportCommand(posts, withContext);
  registerListCommand(posts, withContext);
  registerPublishCommands(posts, withContext);
}
