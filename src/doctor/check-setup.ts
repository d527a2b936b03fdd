import type { Config } from '../config/config.js';
import type { ConnectedDatabase } from '../database/direct-connection.js';
import { isDecidedByVariables, READ_SETUP_FACTS, toPhase, type SetupFacts } from '../setup/setup-state.service.js';
import { SETUP_PATH } from '../shared/paths.js';
import { fail, ok, warn, type Statement } from './finding.js';

/** Checks that visitors are served: that the site is set up, and that somebody has said where enquiries go. */
export async function checkSetup({ client }: ConnectedDatabase, config: Config): Promise<Statement> {
  if (isDecidedByVariables(config)) return ok('variables say where enquiries go');
  const { rows } = await client.query<SetupFacts>(READ_SETUP_FACTS);
  switch (rows[0] === undefined ? 'setup' : toPhase(rows[0])) {
    case 'running':
      return ok('the site is set up');
    case 'setup':
      return warn(
        'the site waits for its setup, and visitors see nothing of it',
        `Open ${config.site.url}${SETUP_PATH}; npm run cli -- setup prints the token.`,
      );
    case 'unreachable':
      return fail(
        'nobody has said where enquiries go, so visitors see nothing of the site',
        'Run npm run cli -- settings set email, or set SITE_EMAIL and start the servers again.',
      );
  }
}
