import { beforeAll, expect, it } from '@jest/globals';
import type { AdminPost } from '../../src/shared/contracts/admin-posts.js';
import { adminPaths } from '../../src/shared/admin-paths.js';
import { paths } from '../../src/shared/paths.js';
import { runCli } from '../support/cli.js';
import { buildEnquiry } from '../support/enquiries.js';
import { buildLastRelease, startRelease } from '../support/last-release-code.js';
import { installLastRelease, listReleases, type ReleasedInstallation } from '../support/last-release.js';
import { startServer } from '../support/process.js';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** A server of either version, as the browser of an administrator uses it. */
class Browser {
  private token = '';

  constructor(private readonly url: string) {}

  async send<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = {
      'content-type': 'application/json',
      ...(this.token && { authorization: `Bearer ${this.token}` }),
    };
    const answer = await fetch(this.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`);
    return JSON.parse(text) as T;
  }

  async signIn(email: string, password: string): Promise<Tokens> {
    const tokens = await this.send<Tokens>('POST', '/auth/v1/token?grant_type=password', { email, password });
    this.token = tokens.access_token;
    return tokens;
  }

  /** Goes on with the access token of another server. */
  resume({ access_token: token }: Tokens): this {
    this.token = token;
    return this;
  }

  async refresh(refresh_token: string): Promise<Tokens> {
    return await this.send('POST', '/auth/v1/token?grant_type=refresh_token', { refresh_token });
  }

  create(slug: string): Promise<AdminPost> {
    return this.send('POST', adminPaths.posts, { ...postNamed(slug), is_published: true });
  }

  save(post: AdminPost, change: object): Promise<AdminPost> {
    const { id, version, is_published } = post;
    return this.send('PUT', `${adminPaths.posts}/${id}`, {
      ...postNamed(post.slug),
      version,
      is_published,
      ...change,
    });
  }

  async page(path: string): Promise<string> {
    return (await fetch(this.url + path)).text();
  }
}

/** Returns the fields that every version has. */
function postNamed(slug: string) {
  return {
    title: `The ${slug} post`,
    slug,
    excerpt: '',
    content: `<p>The text of the ${slug} post.</p>`,
    author: 'Ada',
    category: 'Security',
    tags: 'Passwords',
    image_url: '',
    image_alt: null,
    published_date: null,
  };
}

let site: ReleasedInstallation;
let release: string;

beforeAll(async () => {
  release = buildLastRelease();
  site = await installLastRelease({ MAIL_CAPTURE: 'true' });
  expect(await runCli(['db', 'migrate'], site.environment)).toMatchObject({ code: 0, stderr: '' });
});

it(`version ${listReleases()[0]} works on the new schema, beside this version and after it`, async () => {
  const { administrator, person, password, refreshToken } = site.facts;
  const older = await startRelease(release, site.environment);
  const before = new Browser(older.url);
  const enquiries = [buildEnquiry(), buildEnquiry(), buildEnquiry()] as const;
  const session = await before.signIn(administrator, password);
  const post = await before.save(await before.create('of-the-release'), { title: 'Saved by the release' });
  await before.send('POST', paths.api.contact, enquiries[0]);
  expect(await before.page(paths.blog(post.slug))).toContain('Saved by the release');

  // Both at once, as in an upgrade without a gap.
  const newer = await startServer(site.environment);
  await new Browser(newer.url).resume(session).send('GET', paths.api.me);
  const after = new Browser(newer.url);
  const newSession = await after.signIn(administrator, password);
  await new Browser(older.url).resume(newSession).send('GET', paths.api.me);
  expect(await after.page(paths.blog(post.slug))).toContain('Saved by the release');
  const captioned = await after.save(post, { title: 'Saved by its successor', image_caption: 'New here' });
  await after.send('POST', paths.api.contact, enquiries[1]);
  const young = await after.create('of-the-successor');
  await after.refresh(session.refresh_token);
  await after.refresh(refreshToken);

  // Each goes on with what the other one wrote; the release leaves alone what it does not know.
  const back = await before.save(captioned, { title: 'Saved by the release again' });
  await before.save(young, { title: 'Found by the release' });
  await before.signIn(person, password);
  await before.send('POST', paths.api.contact, enquiries[2]);
  expect(await older.stop()).toMatchObject({ code: 0, stderr: '' });

  const read = await after.send<AdminPost>('GET', `${adminPaths.posts}/${back.id}`);
  expect(read.saved).toMatchObject({ title: 'Saved by the release again', image_caption: 'New here' });
  const last = await after.save(read, { title: 'Saved at last', image_caption: 'Still here' });
  expect(await after.page(paths.blog(last.slug))).toContain('Saved at last');
  expect(await after.page(paths.blog(young.slug))).toContain('Found by the release');
  const { items } = await after.send<{ items: { email: string }[] }>('GET', adminPaths.enquiries);
  expect(items.map(({ email }) => email)).toEqual(expect.arrayContaining(enquiries.map(({ email }) => email)));
  expect(await newer.stop()).toMatchObject({ code: 0, stderr: '' });

  // A rollback.
  const again = await startRelease(release, site.environment);
  const rolledBack = new Browser(again.url);
  await rolledBack.signIn(administrator, password);
  expect(await rolledBack.page(paths.blog(last.slug))).toContain('Saved at last');
  await rolledBack.save(last, { title: 'Saved after the rollback' });
  expect(await again.stop()).toMatchObject({ code: 0, stderr: '' });
});
