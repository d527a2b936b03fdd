import { describe, expect, it } from '@jest/globals';
import { runCli } from '../support/cli.js';
import { createDatabaseOfEncoding, createEmptyDatabase } from '../support/database.js';
import { testEnvironment } from '../support/environment.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const environmentOf = (databaseUrl: string) => testEnvironment({ databaseUrl, dataDir: temporaryFolder() }, {});

describe('cli db migrate', () => {
  itSlow('is safe when two processes run it at once, and has nothing to do the next time', async () => {
    const environment = environmentOf(await createEmptyDatabase());
    const runs = await Promise.all([1, 2].map(() => runCli(['db', 'migrate'], environment)));
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ]);
    const outputs = runs.map((run) => run.stdout).sort();
    expect(outputs).toEqual(['The database is up to date.\n', expect.stringMatching(/^(ran Migration\d+\n)+$/)]);

    const again = await runCli(['db', 'migrate'], environment);
    expect(again).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' });
  });

  it('answers with 2 when the database cannot be reached', async () => {
    const run = await runCli(['db', 'migrate'], environmentOf('postgresql://nobody:nothing@127.0.0.1:1/none'));
    expect(run.code).toBe(2);
    expect(run.stdout).toBe('');
    expect(run.stderr).toBe(
      'Error: The database at 127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n' +
        'Start PostgreSQL, or correct host and port in DATABASE_URL.\n',
    );
  });

  it.each(fewOf(['SQL_ASCII', 'LATIN1'], (encoding) => encoding === 'LATIN1'))(
    'leaves an empty database alone that would lose letters: %s',
    async (encoding) => {
      const databaseUrl = await createDatabaseOfEncoding(encoding);
      const run = await runCli(['db', 'migrate'], environmentOf(databaseUrl));
      expect(run).toMatchObject({ stdout: '', stderr: expect.stringMatching(`encoding ${encoding}.*--encoding=UTF8`) });
      expect(run.code).not.toBe(0);
      const { stdout } = await runCli(['db', 'status'], environmentOf(databaseUrl));
      expect(stdout).not.toContain('up to date');
    },
  );
});
