import type { Config } from '../config/config.js';
import { demoAdminFile, isOverDemo } from '../config/demo.js';
import type { ConnectedDatabase } from '../database/direct-connection.js';
import { isDecidedByVariables, READ_SETUP_FACTS, toPhase, type SetupFacts } from '../setup/setup-state.service.js';
import { SETUP_PATH } from '../shared/paths.js';
import { fail, ok, warn, type Statement } from './finding.js';

/**
 * Checks that visitors are served, and not the demo: that the site is set up, and that somebody has said where enquiries go.
 */
export async function checkSetup(database: ConnectedDatabase, config: Config): Promise<Statement> {
  const statement = await checkPhase(database, config);
  if (!isOverDemo(config)) return statement;
  const tell = statement.level === 'fail' ? fail : warn;
  return tell(
    `${config.dataDir} has the data of the demo, with its posts and its administrator`,
    'Name another folder in DATA_DIR. Where the demo has become your own site, remove what is left of it, and then ' +
      `${demoAdminFile(config.dataDir)}.`,
  );
}

async function checkPhase({ client }: ConnectedDatabase, config: Config): Promise<Statement> {
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
