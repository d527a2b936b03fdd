import { parseEnv } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { runCommandAlone } from '../support/command.js';
import { createTestApp } from '../support/create-test-app.js';
import { cloneDatabase } from '../support/database.js';
import { testEnvironment, type Variables } from '../support/environment.js';
import { withClient } from '../support/installation.js';
import { startServer, type RunningProcess } from '../support/process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const CREDENTIALS = { email: 'somebody@example.com', password: 'correct horse 7' };
const kidOf = (token: string) =>
  (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { readonly kid: string }).kid;

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** One in this process, which starts in a tenth of the time. */
async function startHere(environment: Variables): Promise<Server> {
  const app = await createTestApp(environment);
  return { url: await app.listen(), stop: app.close };
}

/** Two servers over one database, which are restarted one after the other, and the tokens that people got from them. */
class Site {
  private readonly servers: Server[] = [];
  private tokens: string[] = [];

  private constructor(
    private readonly databaseUrl: string,
    private environment: Variables,
    private readonly startOne: (environment: Variables) => Promise<Server>,
  ) {}

  static async start(overrides: Variables, startOne: (environment: Variables) => Promise<Server>): Promise<Site> {
    const databaseUrl = await cloneDatabase();
    const limits = { AUTH_RATE_LIMIT_TOKEN: '0', AUTH_RATE_LIMIT_SIGNUP: '0', AUTH_MAIL_AUTOCONFIRM: 'true' } as const;
    const own = { databaseUrl, dataDir: temporaryFolder() };
    const site = new Site(databaseUrl, testEnvironment(own, { LOG_LEVEL: 'error', ...limits, ...overrides }), startOne);
    await site.restart(0);
    await site.restart(1);
    await site.post('/signup');
    return site;
  }

  /** Starts a server, again if it runs, with the keys that are set now. */
  async restart(index: 0 | 1): Promise<void> {
    await this.servers[index]?.stop();
    this.servers[index] = await this.startOne(this.environment);
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
  }

  /** Runs `auth keys ...`; what it prints is set, as an operator does. */
  async keys(...args: string[]) {
    const run = await runCommandAlone(['auth', 'keys', ...args], this.environment);
    if (run.code === 0 && run.stdout.startsWith('AUTH_JWT_KEYS=')) {
      this.environment = { ...this.environment, ...(parseEnv(run.stdout) as Variables) };
    }
    return run;
  }

  /** Signs in at both servers and asks both with every token there is. @returns how many were refused, and who signed */
  async use() {
    for (const { url } of this.servers) this.tokens.push(await this.post('/token?grant_type=password', url));
    const asked = this.servers.flatMap(({ url }) => this.tokens.map((token) => ({ url, token })));
    const answers = await Promise.all(
      asked.map(({ url, token }) => fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${token}` } })),
    );
    const refused = answers.filter(({ status }) => status !== 200).length;
    return { refused, signed: this.tokens.slice(-2).map(kidOf) };
  }

  /** Lets the tokens of a key expire, for the commands and for those who have them. */
  async expire(kid: string): Promise<void> {
    this.tokens = this.tokens.filter((token) => kidOf(token) !== kid);
    await withClient(this.databaseUrl, (client) =>
      client.query(`update auth.signing_key_uses set sessions_until = now() - interval '1 second' where kid = $1`, [
        kid,
      ]),
    );
  }

  private async post(path: string, url = this.servers[0]?.url): Promise<string> {
    const body = JSON.stringify(CREDENTIALS);
    const answer = await fetch(`${url}/auth/v1${path}`, { method: 'POST', body });
    return ((await answer.json()) as { readonly access_token: string }).access_token;
  }
}

describe('keys of two servers', () => {
  it.each<[where: string, variables: () => Promise<Variables>]>([
    ['in AUTH_JWT_KEYS', async () => parseEnv((await runCommandAlone(['auth', 'keys', 'generate'], {})).stdout)],
    ['in the data folder', async () => ({ AUTH_JWT_KEYS: 'generated' })],
  ])('%s are rotated without a token that is refused', async (_where, variables) => {
    const site = await Site.start(await variables(), startHere);
    const restartAll = async () => {
      const refused = [];
      for (const index of [0, 1] as const) {
        await site.restart(index);
        refused.push((await site.use()).refused);
      }
      expect(refused).toEqual([0, 0]);
    };
    const { signed } = await site.use();
    const [former = ''] = signed;
    expect(signed).toEqual([former, former]);
    expect(await site.keys('promote')).toMatchObject({ code: 2, stderr: expect.stringContaining('No key waits') });

    expect(await site.keys('add')).toMatchObject({ code: 0, stderr: expect.stringContaining('auth keys promote') });
    expect(await site.keys('add')).toMatchObject({ code: 2, stderr: expect.stringContaining('waits already') });
    expect(await site.keys('promote')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/ running servers? at/),
    });
    await site.restart(0);
    expect(await site.use()).toEqual({ refused: 0, signed: [former, former] });
    expect(await site.keys('promote')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('1 running server at'),
    });
    await site.restart(1);

    expect(await site.keys('promote')).toMatchObject({ code: 0, stderr: expect.stringContaining('auth keys retire') });
    expect(await site.keys('retire')).toMatchObject({ code: 2, stderr: expect.stringContaining('still signs on') });
    await restartAll();
    const { signed: next } = await site.use();
    expect(next).not.toContain(former);

    expect(await site.keys('retire')).toMatchObject({ code: 2, stderr: expect.stringContaining('may be good until') });
    await site.expire(former);
    expect(await site.keys('retire')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`Left out: ${former}`),
    });
    await restartAll();
    expect(await site.keys('retire')).toMatchObject({ code: 2, stderr: expect.stringContaining('no former key') });
    await site.stop();
  });

  it('that do not know one another are named in the log, and a step that is forced leaves such a gap', async () => {
    let last: RunningProcess | undefined;
    const site = await Site.start({ AUTH_JWT_KEYS: 'generated' }, async (environment) => {
      const server = await startServer(environment);
      last = server;
      return { url: server.url, stop: async () => void (await server.stop()) };
    });
    await site.keys('add');
    expect(await site.keys('promote', '--force')).toMatchObject({ code: 0 });
    await site.restart(0);
    await last?.waitForOutput(/Servers of this site refuse tokens of one another/);
    expect(await site.use()).toMatchObject({ refused: 1 });
    await site.restart(1);
    expect(await site.use()).toMatchObject({ refused: 0 });
    await site.stop();
  });
});
