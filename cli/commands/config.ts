import type { Command } from 'commander';
import { renderEnvExample } from '../../src/config/env-example.js';

/** `config`: the variables that configure the product. */
export function registerConfigCommands(program: Command): void {
  const config = program.command('config').description('the configuration');
  config
    .command('example')
    .description('print every variable with its default, as .env.example has it')
    .action(() => void process.stdout.write(renderEnvExample()));
}
