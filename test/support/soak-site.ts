import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { PasswordsService } from '../../src/auth/passwords/passwords.service.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { paths } from '../../src/shared/paths.js';
import { UploadsService } from '../../src/uploads/uploads.service.js';
import { createAccount, signIn } from './accounts.js';
import { onCleanup } from './cleanup.js';
import { createTestApp } from './create-test-app.js';
import { buildEnquiry } from './enquiries.js';
import { createPosts } from './factories.js';
import { findFreePort } from './free-port.js';
import { startProcess, type RunningProcess } from './process.js';

/** A server as operators start it, with two workers, and what is there to be seen. */
export interface SoakSite {
  readonly server: RunningProcess;
  readonly url: string;
  readonly metricsUrl: string;
  /** Access token of an administrator. */
  readonly accessToken: string;
  /** Does what the visitor of this number does. @returns what was wrong with the answer */
  visit(number: number): Promise<string[]>;
  /** Closes the connections of all visitors. */
  leave(): void;
}

interface Errand {
  readonly path: string;
  readonly body?: () => object;
}

const EMAIL = 'ada@example.org';
const PASSWORD = 'correct horse 7';
/** Limits are off, because all visitors share one address here. */
const FREE = Object.fromEntries(
  [
    ...['CONTACT_RATE_LIMIT_ADDRESS', 'CONTACT_RATE_LIMIT_OVERALL'],
    ...['SIGNUP', 'OTP', 'MAGICLINK', 'RECOVER', 'RESEND', 'USER', 'TOKEN', 'VERIFY', 'MAIL'].map(
      (name) => `AUTH_RATE_LIMIT_${name}`,
    ),
  ].map((name) => [name, '0']),
);

/** Starts the site with a few posts, an image and an administrator. */
export async function startSoakSite(): Promise<SoakSite> {
  const app = await createTestApp({ ...FREE, AUTH_BASE_PATH: '/auth/v1' });
  const picture = await sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  const image = await app.get(UploadsService).storeImage(picture);
  const posts = await createPosts(app, [{ image_url: image.url }, {}, {}, {}]);
  const passwordHash = await app.get(PasswordsService).hash(PASSWORD);
  const account = await createAccount(app, { email: EMAIL, passwordHash });
  await app.get(RolesService).grantAdmin(OPERATOR, account.id);
  const { accessToken } = await signIn(app, account);
  await app.close();

  const root = fileURLToPath(new URL('../..', import.meta.url));
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const variables = {
    ...app.environment,
    WEB_CONCURRENCY: '2',
    LOG_LEVEL: 'error',
    METRICS_PORT: `${await findFreePort()}`,
  };
  const bin = `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`;
  const server = startProcess(['-c', scripts.start], { ...variables, PATH: bin }, root, '', 'sh');
  const [, url = ''] = await server.waitForOutput(/Listening at (http:\S+)/);
  const [, metricsUrl = ''] = await server.waitForOutput(/Metrics at (http:\S+)/);

  const errands: Errand[] = [
    ...[paths.home, paths.blogs, paths.pricing, paths.about, paths.contact, paths.rss, paths.sitemap, image.url],
    ...posts.flatMap(({ slug }) => [paths.blog(slug), paths.api.post(slug)]),
    ...[paths.api.posts, paths.auth, '/robots.txt', '/api/health', '/auth/v1/settings', paths.blogs, paths.home],
  ].map((path) => ({ path }));
  const enquire = { path: paths.api.contact, body: () => buildEnquiry() };
  const enter = { path: '/auth/v1/token?grant_type=password', body: () => ({ email: EMAIL, password: PASSWORD }) };
  errands.push(enquire, enter);

  let agent = new Agent({ keepAlive: true });
  onCleanup(() => agent.destroy());
  return {
    server,
    url,
    metricsUrl,
    accessToken,
    visit: async (number) => {
      const errand = errands[number % errands.length] ?? enquire;
      const failure = await run(url, errand, agent);
      return failure === undefined ? [] : [`${errand.path}: ${failure}`];
    },
    leave: () => {
      agent.destroy();
      agent = new Agent({ keepAlive: true });
    },
  };
}

async function run(url: string, { path, body }: Errand, agent: Agent): Promise<string | undefined> {
  const text = body && JSON.stringify(body());
  const headers = text === undefined ? {} : { 'content-type': 'application/json' };
  try {
    const call = request(url + path, { agent, method: text === undefined ? 'GET' : 'POST', headers });
    call.end(text);
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    const whole = await buffer(answer);
    return answer.statusCode === 200 ? undefined : `${answer.statusCode} ${whole.toString().slice(0, 120)}`;
  } catch (error) {
    return (error as Error).message;
  }
}
