import { Option } from 'commander';

/** The option of commands that fetch images and have `--no-fetch`, beside which it would do nothing. */
export function privateHostOption(): Option {
  return new Option(
    '--allow-private-host <name...>',
    'fetch images from these hosts although their addresses are private',
  ).conflicts('fetch');
}
