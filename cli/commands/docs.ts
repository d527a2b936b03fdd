import type { Command } from 'commander';
import { renderCommandDocs } from '../command-docs.js';

/** `docs`: docs/cli.md, for developers. */
export function registerDocsCommand(program: Command): void {
  program
    .command('docs', { hidden: true })
    .description('for developers: print docs/cli.md, which describes every command')
    .action(() => void process.stdout.write(renderCommandDocs(program)));
}
