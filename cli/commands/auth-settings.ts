import type { Command } from 'commander';
import { listAccountSettings } from '../../src/config/account-settings.js';
import { formatColumns } from '../columns.js';
import { guide } from '../guide.js';
import { writeJson } from '../write-json.js';

function handleSettings(isJson: boolean): void {
  const settings = listAccountSettings();
  if (isJson) writeJson(settings);
  else process.stdout.write(formatColumns(settings.map(({ name, value, origin }) => [name, value || '-', origin])));
}

/** `auth settings`. */
export function registerAuthSettingsCommand(auth: Command): void {
  guide(
    auth
      .command('settings')
      .description('every setting of accounts as a server would have it, and where it comes from; no secrets')
      .option('--json', 'write JSON')
      .action((flags: { readonly json?: true }) => handleSettings(flags.json === true)),
    {
      remarks:
        'The last column is where a value comes from: the default, the environment of this command, the .env file, or the ' +
        'file of a secret. Run it with the environment of the server. `config example` explains each setting.',
      examples: [
        ['', 'all of them'],
        ['--json', 'for programs'],
      ],
    },
  );
}
