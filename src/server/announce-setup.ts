import cluster from 'node:cluster';
import type { INestApplicationContext } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { SETUP_HOURS, SetupAccessService } from '../setup/setup-access.service.js';
import { assertReachable, SetupStateService } from '../setup/setup-state.service.js';
import { SETUP_PATH } from '../shared/paths.js';

const RULE = '='.repeat(80);

/**
 * Makes the token that opens the setup of a new site, before anybody is let in. Of several workers the first one does,
 * once; a process that takes the place of another one does not.
 * @returns prints the token, for the end of a start: the framework logs hundreds of lines until then
 * @throws ConfigError for a site in use that does not know where enquiries go
 */
export async function prepareSetup(config: Config, app: INestApplicationContext): Promise<() => void> {
  const { phase } = app.get(SetupStateService, { strict: false });
  assertReachable(phase, config);
  if (phase !== 'setup' || (cluster.worker?.id ?? 1) !== 1) return () => undefined;
  const token = await app.get(SetupAccessService, { strict: false }).issue({ isOnly: false });
  return () => {
    if (token !== null) process.stdout.write(`\n${RULE}\n${describeSetup(config.site.url, token)}${RULE}\n\n`);
  };
}

/** Tells an operator how to open the setup. */
export function describeSetup(siteUrl: string, token: string): string {
  return [
    'This site is not set up yet, and visitors see nothing of it.',
    `Open ${siteUrl}${SETUP_PATH} and enter this token, which is good for ${SETUP_HOURS} hours:`,
    '',
    `    ${token}`,
    '',
    '',
  ].join('\n');
}
