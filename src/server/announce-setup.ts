import cluster from 'node:cluster';
import type { INestApplicationContext } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { SETUP_HOURS, SetupAccessService } from '../setup/setup-access.service.js';
import { assertReachable, SetupStateService } from '../setup/setup-state.service.js';
import { SETUP_PATH } from '../shared/paths.js';

/**
 * Prints the token that opens the setup of a new site, before anybody is let in. Of several workers the first one does,
 * once; a process that takes the place of another one does not.
 * @throws ConfigError for a site in use that does not know where enquiries go
 */
export async function announceSetup({ site }: Config, app: INestApplicationContext): Promise<void> {
  const { phase } = app.get(SetupStateService, { strict: false });
  assertReachable(phase);
  if (phase !== 'setup' || (cluster.worker?.id ?? 1) !== 1) return;
  const token = await app.get(SetupAccessService, { strict: false }).issue({ isOnly: false });
  if (token !== null) process.stdout.write(describeSetup(site.url, token));
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
