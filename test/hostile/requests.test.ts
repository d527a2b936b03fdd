import { Agent } from 'node:http';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ModulesContainer } from '@nestjs/core';
import { AccessTokenService } from '../../src/auth/tokens/access-token.service.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { createAccount, signIn } from '../support/accounts.js';
import type { ApiDocument } from '../support/api-document.js';
import { attack, findFaults, kindOfFault } from '../support/attack-answers.js';
import { onCleanup } from '../support/cleanup.js';
import { createTestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { scaled } from '../support/fault-scale.js';
import { report, type Fault } from '../support/figures.js';
import { generateRequest, type AttackedRoute, type KnownThings } from '../support/generated-requests.js';
import { hostileValues } from '../support/hostile-values.js';
import { startProcess, type RunningProcess } from '../support/process.js';
import { PROPERTY_SEED } from '../support/property-seed.js';
import { randomNumbers } from '../support/random-numbers.js';
import { handlerRoutesOf } from '../support/registered-routes.js';
import { fewOf } from '../support/slow-tests.js';
import { Tally } from '../support/tally.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Requests to each route in the short form; `npm test` has the fewest. */
const [SHORT = 12] = fewOf([12, 4], (count) => count === 4);
/** Requests to each route. */
const REQUESTS = scaled(SHORT, 2_000);
const LANES = 6;
const FREE = Object.fromEntries(
  [
    ...['CONTACT_RATE_LIMIT_ADDRESS', 'CONTACT_RATE_LIMIT_OVERALL', 'AUTH_GUESSES_PAUSE', 'AUTH_GUESSES_PASSWORD'],
    'AUTH_GUESSES_FACTOR',
    ...['SIGNUP', 'OTP', 'MAGICLINK', 'RECOVER', 'RESEND', 'USER', 'TOKEN', 'VERIFY', 'MAIL', 'SSO', 'FACTOR'].map(
      (name) => `AUTH_RATE_LIMIT_${name}`,
    ),
  ].map((name) => [name, '0']),
);

let server: RunningProcess & { readonly url: string };
let routes: AttackedRoute[];
let api: ApiDocument;
let known: KnownThings;
const agent = new Agent({ keepAlive: true, maxSockets: LANES });
const tally = new Tally();
const found: Partial<Record<Fault, number>> = { '5xx': 0, stack: 0, shape: 0, silence: 0 };
let sentCount = 0;

beforeAll(async () => {
  const app = await createTestApp({ ...FREE, AUTH_BASE_PATH: '/auth/v1' });
  api = (await app.inject('/api/openapi.json')).json();
  routes = handlerRoutesOf(app.get(ModulesContainer)).map(({ name }) => {
    const [method = '', path = ''] = name.split(' ');
    const described = api.paths[path.replace(/:(\w+)/g, '{$1}')];
    return { name, method, path, operation: described?.[method.toLowerCase()] };
  });
  const posts = await createPosts(
    app,
    Array.from({ length: 8 }, () => ({})),
  );
  const tokensOf = async (email: string, isAdmin: boolean) => {
    const account = await createAccount(app, { email });
    if (isAdmin) await app.get(RolesService).grantAdmin(OPERATOR, account.id);
    return Promise.all(Array.from({ length: scaled(20, 400) }, async () => (await signIn(app, account)).accessToken));
  };
  const adminTokens = await tokensOf('ada@example.com', true);
  const accountTokens = await tokensOf('eve@example.org', false);
  const list = await app.inject({ url: '/api/admin/posts', headers: { authorization: `Bearer ${adminTokens[0]}` } });
  const ids = list.json<{ items: { id: string }[] }>().items.map(({ id }) => id);
  const { token } = await app.get(AccessTokenService).issueServiceToken(24 * 3600);
  const accounts = await Promise.all(Array.from({ length: scaled(8, 200) }, () => createAccount(app)));
  known = {
    ids: [...ids, ...posts.map(({ slug }) => slug)],
    adminTokens,
    accountTokens,
    programTokens: [token, ...accountTokens],
    accountIds: accounts.map(({ id }) => id),
  };
  await app.close();
  // A 503 is a fault here, and a busy machine is none. Half of the pool may wait for one table: all of the lanes.
  const environment = { ...app.environment, LOG_LEVEL: 'error', DATABASE_POOL_SIZE: '16' };
  const attacked = startProcess([resolve('test/support/unhurried-server.mjs')], environment, temporaryFolder());
  const [, url = ''] = await attacked.waitForOutput(/Listening at (http:\S+)/);
  server = { ...attacked, url };
  onCleanup(() => agent.destroy());
});

afterAll(() => {
  process.stdout.write(tally.toTable(`Hostile requests, seed ${PROPERTY_SEED}`));
  report([{ suite: 'requests', places: routes.length, sent: sentCount, faults: found }]);
});

const areaOf = (path: string) => /^\/(?:api\/admin|api|auth\/v1|functions|dev|media)/.exec(path)?.[0] ?? 'pages';

it('every route refuses whatever is made up, in its documented shape, and nothing is our fault', async () => {
  const values = hostileValues(randomNumbers(PROPERTY_SEED));
  const queue = Array.from({ length: REQUESTS }, () => routes).flat();
  const harm: string[] = [];
  const lane = async () => {
    for (let route = queue.pop(); route !== undefined; route = queue.pop()) {
      const sent = generateRequest(route, values, known, api);
      const answer = await attack(server.url, agent, sent).catch((error: Error) => error);
      const faults =
        answer instanceof Error ? [`is not answered: ${answer.message}`] : findFaults(route, sent, answer, api);
      sentCount += 1;
      for (const fault of faults) {
        const kind = answer instanceof Error ? 'silence' : kindOfFault(fault);
        found[kind] = (found[kind] ?? 0) + 1;
      }
      tally.add(areaOf(route.path), answer instanceof Error ? 0 : answer.status, faults.length > 0);
      const { body, ...head } = sent;
      const shown = JSON.stringify({ ...head, body: body?.toString('latin1').slice(0, 300) });
      harm.push(...faults.map((fault) => `${route.name} ${fault}: ${shown}`));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  expect(harm.slice(0, 20)).toEqual([]);
  expect(routes.length).toBeGreaterThan(60);
  const { stdout, stderr, code } = await server.stop();
  const errors = stdout.match(/^.*"level":[56]0.*$/gm);
  expect({ code, stderr, errors }).toEqual({ code: 0, stderr: '', errors: null });
});
