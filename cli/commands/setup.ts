import type { Command } from 'commander';
import { CONFIG, type Config } from '../../src/config/config.js';
import { describeSetup } from '../../src/server/announce-setup.js';
import { SetupAccessService } from '../../src/setup/setup-access.service.js';
import { describeUnreachable, SetupStateService } from '../../src/setup/setup-state.service.js';
import type { WithContext } from '../context.js';
import { guide } from '../guide.js';

async function handleSetup(withContext: WithContext): Promise<void> {
  const text = await withContext(async (context) => {
    const config = context.get<Config>(CONFIG);
    if (config.mode !== 'production') throw new Error('Only a site in production has a setup (NODE_ENV).');
    const phase = await context.get(SetupStateService).refresh();
    if (phase === 'unreachable') throw new Error(describeUnreachable(config));
    const token = phase === 'setup' ? await context.get(SetupAccessService).issue({ isOnly: true }) : null;
    if (token === null) throw new Error('This site is set up already: there is nothing that a token could open.');
    return describeSetup(config.site.url, token);
  });
  process.stdout.write(text);
}

/** `setup`: a new token for the setup of a new site. */
export function registerSetupCommand(program: Command, withContext: WithContext): void {
  const setup = program
    .command('setup')
    .description('print a new token that opens /setup, where a new site is set up in the browser')
    .action(() => handleSetup(withContext));
  guide(setup, {
    remarks:
      'Tokens of before, those in the log too, no longer work, and a browser that was at it has to enter the new one; ' +
      'what was done so far is kept. A site that is set up has no token.',
    examples: [['', 'begin, or take over from somebody else']],
  });
}
