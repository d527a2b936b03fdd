import type { Command } from 'commander';
import { renderEnvExample } from '../../src/config/env-example.js';
import { guide } from '../guide.js';

/** `config`: the variables that configure the product. */
export function registerConfigCommands(program: Command): void {
  const config = program.command('config').description('the configuration');
  guide(
    config
      .command('example')
      .description('print every variable with its default, as .env.example has it')
      .action(() => void process.stdout.write(renderEnvExample())),
    {
      examples: [
        ['> .env', 'begin a configuration'],
        ['', 'look a variable up'],
      ],
    },
  );
}
