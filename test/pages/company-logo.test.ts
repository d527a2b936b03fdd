import { beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import sharp from 'sharp';
import { RolesService } from '../../src/roles/roles.service.js';
import { CompanyService, SettingsRefusedError } from '../../src/settings/company.service.js';
import { PagesService } from '../../src/settings/pages.service.js';
import { SettingsFileService } from '../../src/settings/settings-file.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { adminPaths as api } from '../../src/shared/admin-paths.js';
import type { MediaPage, ReplacedImage } from '../../src/shared/contracts/media.js';
import type { RestoredSettings, SettingsView } from '../../src/shared/contracts/settings.js';
import { MEDIA_PATH, parseMediaUrl, renditionsOf } from '../../src/shared/media.js';
import { paths } from '../../src/shared/paths.js';
import { SiteService } from '../../src/site/site.service.js';
import { Image } from '../../src/uploads/image.entity.js';
import { MediaCheckService } from '../../src/uploads/media-check.service.js';
import { MediaLibraryService } from '../../src/uploads/media-library.service.js';
import { MediaSweepService } from '../../src/uploads/media-sweep.service.js';
import { ImageWorkshop } from '../../src/uploads/uploads.module.js';
import { STORAGE, type Storage } from '../../src/uploads/storage/storage.js';
import { UploadsService } from '../../src/uploads/uploads.service.js';
import { createAccount, signIn } from '../support/accounts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { HtmlPage } from '../support/html.js';
import { findForbidden } from '../support/policy.js';
import { readEach } from '../support/read-each.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { until } from '../support/until.js';

let app: TestApp;
let neighbor: TestApp;
let headers: { readonly authorization: string };
/** Each page as it was before anybody chose anything. */
let untouched: Readonly<Record<string, string>>;

const shown = [paths.home, paths.pricing, paths.blog('signed'), '/auth', '/nothing-here'];

beforeAll(async () => {
  app = await createTestApp({ SITE_PARTNER_NAME: 'Shield & Co' });
  neighbor = await createTestApp({ ...app.environment });
  const account = await createAccount(app);
  await app.get(RolesService).grantAdmin(OPERATOR, account.id);
  headers = { authorization: `Bearer ${(await signIn(app, account)).accessToken}` };
  await createPosts(app, [{ slug: 'signed', title: 'Signed' }]);
  untouched = await readEach(shown, async (path) => (await read(path)).body);
});

async function read(url: string, own = app, more: Record<string, string> = {}) {
  const answer = await own.inject({ url, headers: more });
  return { body: answer.body, policy: answer.headers['content-security-policy'] };
}

async function call<T = SettingsView>(method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: string, payload?: object) {
  const answer = await app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  const body = (answer.body === '' ? {} : answer.json()) as T & {
    fields?: Record<string, string[]>;
    message: string;
    path: string;
  };
  return { status: answer.statusCode, cookie: String(answer.headers['set-cookie'] ?? ''), body };
}

let shade = 0;
/** Stores a picture that nothing has shown yet. @returns its address */
async function draw(width = 1200, height = 300, format: 'png' | 'jpeg' | 'webp' = 'png', own = app): Promise<string> {
  const background = { r: (shade += 1), g: 90, b: 160, alpha: 0.5 };
  const bytes = await sharp({ create: { width, height, channels: 4, background } })
    .toFormat(format)
    .toBuffer();
  return (await own.get(UploadsService).storeImage(bytes)).url;
}

const find = async () => (await call('GET', api.settings('company'))).body;
const save = async (values: object) =>
  await call('PUT', api.settingsDraft('company'), { revision: (await find()).revision, values });
const publish = async () =>
  await call('POST', api.settingsPublication('company'), { revision: (await find()).revision });
const listed = async (query = '') => (await call<MediaPage>('GET', `${api.media}${query}`)).body.items;
const usesOf = async (url: string) => (await listed()).find((item) => item.url === url)?.uses;
const imagesIn = (body: string, parent: string) =>
  new HtmlPage(body).all('img').filter((image) => image.parent !== null && classOf(image.parent) === parent);
const classOf = (node: object) => ('attribs' in node ? (node.attribs as Record<string, string>)['class'] : undefined);
const none = { logo: null, logo_dark: null, logo_has_name: false, partner_logo: null };

describe('the logo of the company', () => {
  itSlow('waits as a draft, and is on every page and in JSON-LD of two processes when it is published', async () => {
    const [logo, dark, partner] = [await draw(), await draw(1200, 300), await draw(300, 600, 'jpeg')];
    const wanted = { logo, logo_dark: dark, logo_has_name: true, partner_logo: partner };
    expect(await save(wanted)).toMatchObject({ status: 200, body: { draft: wanted } });
    for (const path of shown) expect((await read(path)).body).toBe(untouched[path]);
    const { cookie, body } = await call('POST', api.settingsPreview('company'));
    const preview = await read(body.path, neighbor, { cookie: cookie.split(';')[0] ?? '' });
    expect([imagesIn(preview.body, 'brand').length > 0, findForbidden(preview.body, preview.policy)]).toEqual([
      true,
      [],
    ]);

    await publish();
    const small = (url: string) =>
      renditionsOf(url.slice(MEDIA_PATH.length)).find(({ extension }) => extension === 'webp')!.name;
    for (const own of [app, neighbor]) {
      await until(async () => own.get(SiteService).current.logo !== undefined);
      for (const path of shown) {
        const page = await read(path, own);
        expect([path, findForbidden(page.body, page.policy)]).toEqual([path, []]);
        const images = imagesIn(page.body, 'brand').map(({ attribs }) => attribs);
        // Header, menu and footer, each for both themes; as large as it is shown before it is there.
        const size = { width: '192', height: '48', alt: 'Your IT Team' };
        expect([path, images]).toEqual([
          path,
          [1, 2, 3].flatMap(() => [
            expect.objectContaining({ class: 'brand-light', src: MEDIA_PATH + small(logo), ...size }),
            expect.objectContaining({ class: 'brand-dark', src: MEDIA_PATH + small(dark), ...size }),
          ]),
        ]);
        expect(imagesIn(page.body, 'partner-badge').map(({ attribs }) => attribs)).toEqual([
          expect.objectContaining({ src: partner, width: '20', height: '40', alt: '' }),
        ]);
      }
      const home = new HtmlPage((await read(paths.home, own)).body);
      expect(home.jsonLd()).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ logo: `http://site.test${logo}`, image: `http://site.test${logo}` }),
        ]),
      );
      const post = new HtmlPage((await read(paths.blog('signed'), own)).body);
      const file = { url: `http://site.test${logo}`, width: 1200, height: 300 };
      expect(JSON.stringify(post.jsonLd())).toContain(JSON.stringify({ '@type': 'ImageObject', ...file }));
      for (const address of [logo, MEDIA_PATH + small(logo), partner])
        expect((await own.inject(address)).statusCode).toBe(200);
    }

    // Beside a picture without it stands the name; one theme has no second picture.
    await app.get(CompanyService).publish(OPERATOR, { logo_has_name: false, logo_dark: null });
    const plain = (await read(paths.home)).body;
    expect(imagesIn(plain, 'brand').map(({ attribs }) => attribs['alt'])).toEqual(['', '', '']);
    expect(plain).not.toContain('brand-dark');
    expect(new HtmlPage(plain).all('a').filter(({ attribs }) => attribs['class'] === 'brand')).toHaveLength(3);

    // Back to a version, and as it came. The first one is of the variable that was taken.
    const { body: restored } = await call<RestoredSettings>('POST', api.settingsRestore('company', 2), {
      revision: (await find()).revision,
    });
    expect([restored.draft, restored.left_aside]).toEqual([{ logo_has_name: true, logo_dark: dark }, []]);
    await app.get(CompanyService).publish(OPERATOR, none);
    for (const path of shown) expect((await read(path)).body).toBe(untouched[path]);
  });

  itSlow('is known to the library as long as a draft, a page or a version shows it', async () => {
    const logo = await draw();
    await app.get(CompanyService).publish(OPERATOR, { logo });
    await save({ partner_logo: logo });
    const onPages = { post_id: null, title: 'Logo', kind: 'company' };
    const inDraft = { post_id: null, title: 'Logo of the partner', kind: 'company-draft' };
    expect(await usesOf(logo)).toEqual([onPages, inDraft]);
    expect((await listed('?unused=true')).map(({ url }) => url)).not.toContain(logo);

    const { id } = parseMediaUrl(logo)!;
    const refused = await call('DELETE', api.image(id));
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'This image is shown in the facts of the company as “Logo”, the draft of the company as “Logo of the partner”.',
    ]);

    // Only versions show it from now on; it is not taken by the sweep.
    await save({ partner_logo: null });
    await app.get(CompanyService).publish(OPERATOR, { logo: null });
    expect(await usesOf(logo)).toEqual([{ post_id: null, title: 'Logo', kind: 'company-version' }]);
    const unused = await draw();
    const em = () => app.get(EntityManager).fork();
    await app.get(MediaSweepService).sweep();
    await em().nativeUpdate(Image, { removedAt: null }, { unusedSince: new Date(0) });
    await app.get(MediaSweepService).sweep();
    const stays = async (url: string) =>
      (await em().findOneOrFail(Image, { id: parseMediaUrl(url)!.id })).removedAt === null;
    expect([await stays(logo), await stays(unused)]).toEqual([true, false]);

    // A check says of how many places something is lost.
    const lacking: [string, number][] = [];
    await app.get<Storage>(STORAGE).delete(logo.slice(MEDIA_PATH.length));
    await app.get(MediaCheckService).check({
      isQuick: true,
      handleLacking: ({ id: lost, uses }) => void lacking.push([lost, uses]),
    });
    expect(lacking).toEqual([[id, 1]]);
  });

  it('is in use like any picture that the text of a page links to, and is not taken by the sweep', async () => {
    const linked = await draw();
    const { id } = parseMediaUrl(linked)!;
    const publish = (story: string | null) => app.get(PagesService).publish(OPERATOR, { 'about.story': story });
    await publish(`Look at [our office](${linked}).`);
    expect(await usesOf(linked)).toEqual([{ post_id: null, title: 'About Us', kind: 'pages' }]);
    expect((await listed('?unused=true')).map(({ url }) => url)).not.toContain(linked);
    const refused = await call('DELETE', api.image(id));
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'This image is shown in the text of the page “About Us”.',
    ]);
    const em = () => app.get(EntityManager).fork();
    await em().nativeUpdate(Image, { id }, { unusedSince: new Date(0) });
    await app.get(MediaSweepService).sweep();
    expect(await em().count(Image, { id, removedAt: null })).toBe(1);
    await publish(null);
    expect(await usesOf(linked)).toEqual([{ post_id: null, title: 'About Us', kind: 'pages-version' }]);
  });

  it('is seen in the library by authors once visitors see it, and not before', async () => {
    const author = await createAccount(app, { email: 'author@example.com' });
    const grant = { role: 'author', mayPublish: false } as const;
    await app
      .get(EntityManager)
      .fork()
      .transactional((em) => app.get(RolesService).grant(em, OPERATOR, author.id, grant));
    const logo = await draw();
    const listsIt = async () => {
      const { items } = await app.get(MediaLibraryService).list({ kind: 'user', userId: author.id }, {});
      return items.filter(({ url }) => url === logo).map(({ uses }) => uses);
    };
    expect(await listsIt()).toEqual([[]]);
    await save({ logo });
    expect(await listsIt()).toEqual([]);
    await publish();
    expect(await listsIt()).toEqual([[]]);
  });

  itSlow('gives its place to another picture wherever pages and the draft show it, or nowhere', async () => {
    const [logo, next, moving] = [await draw(), await draw(), await draw(100, 100, 'webp')];
    await app.get(CompanyService).publish(OPERATOR, { ...none, logo });
    await save({ logo_dark: logo });
    const replace = (to: string) => call<ReplacedImage>('POST', api.replaceImage, { from: logo, to });
    expect(await replace(moving)).toMatchObject({
      status: 422,
      body: { fields: { to: ['Logo must be a PNG or JPEG picture of the media library'] } },
    });
    expect((await find()).values['logo']).toBe(logo);
    expect(await replace(next)).toMatchObject({ status: 200, body: { posts: 0, company: ['logo', 'logo_dark'] } });
    expect(await find()).toMatchObject({ values: { logo: next }, draft: { logo_dark: next } });
    for (const own of [app, neighbor]) await until(async () => own.get(SiteService).current.logo?.file.src === next);
    expect((await usesOf(logo))?.map(({ kind }) => kind)).toEqual(['company-version']);
    await save({ logo_dark: null });
  });

  it('is refused where it is no still PNG or JPEG, or is not there, by every door', async () => {
    const drawRemoved = async () => {
      const removed = await draw();
      await app.get(MediaLibraryService).remove(OPERATOR, parseMediaUrl(removed)!.id);
      return removed;
    };
    const drawSmall = async () => {
      const [small] = renditionsOf((await draw()).slice(MEDIA_PATH.length)).slice(-1);
      return MEDIA_PATH + small!.name;
    };
    const lacks = (address: string) =>
      `Logo names a picture that the media library of this site does not have: ${address}`;
    const isOther = () => 'Logo must be a PNG or JPEG picture of the media library';
    type Refused = readonly [logo: string | (() => Promise<string>), explain: (address: string) => string];
    const refused: readonly Refused[] = [
      [`${MEDIA_PATH}${'e'.repeat(32)}-80x80.png`, lacks],
      [drawRemoved, lacks],
      [() => draw(50, 50, 'webp'), isOther],
      [drawSmall, isOther],
      ['https://elsewhere.example/logo.png', isOther],
      ['"><script>alert(1)</script>', isOther],
    ];
    // Drawing is what takes its time.
    for (const [made, explain] of fewOf(refused, ([address]) => typeof address === 'string')) {
      const logo = typeof made === 'string' ? made : await made();
      const message = explain(logo);
      const { status, body } = await save({ logo });
      expect([logo, status, body.fields]).toEqual([logo, 422, { logo: [message] }]);
      const yaml = `company:\n  logo: '${logo}'\n`;
      for (const isDryRun of [true, false]) {
        const refusal = app.get(SettingsFileService).import(OPERATOR, yaml, isDryRun);
        await expect(refusal).rejects.toThrow(new SettingsRefusedError([{ path: 'company.logo', message }]));
      }
      await expect(app.get(CompanyService).publish(OPERATOR, { logo })).rejects.toThrow(message);
    }
    expect((await find()).draft).toBeNull();
  });

  itSlow('comes to another site with its file, and not without', async () => {
    const logo = await draw();
    await app.get(CompanyService).publish(OPERATOR, { ...none, logo });
    const file = await app.get(SettingsFileService).export(OPERATOR);
    const other = await createTestApp();
    const files = other.get(SettingsFileService);
    await expect(files.import(OPERATOR, file, true)).rejects.toThrow(
      /^company\.logo: Logo names a picture that .* does not have/,
    );
    const { rawPayload } = await app.inject(logo);
    const brought = await other.get(UploadsService).storeImage(rawPayload, logo.slice(MEDIA_PATH.length));
    expect(brought.url).toBe(logo);
    await files.import(OPERATOR, file, false);
    expect(other.get(SiteService).current.logo?.file.src).toBe(logo);
  });

  itSlow('is the mark on share images where its file is damaged, so that they are drawn all the same', async () => {
    const bytes = (await app.inject(await draw(300, 300))).rawPayload.subarray(0, -20);
    const drawings = [{ title: 'Title', category: null, company: 'Your IT Team' }];
    const workshop = app.get(ImageWorkshop);
    const [damaged] = await workshop.run({ kind: 'share', drawings, logo: { bytes, hasName: true } });
    const [without] = await workshop.run({ kind: 'share', drawings, logo: null });
    expect(Buffer.from(damaged!).equals(Buffer.from(without!))).toBe(true);
  });

  itSlow('is on share images in the place of the mark, and of the name that it contains', async () => {
    const logo = await draw(300, 300);
    const bytes = (await app.inject(logo)).rawPayload;
    const drawings = [{ title: 'Title', category: null, company: 'Your IT Team' }];
    const workshop = app.get(ImageWorkshop);
    /** The mean color of a part of the line in which mark and name stand. Few colors make it inexact. */
    const colorAt = async (left: number, hasName: boolean) => {
      const [png] = await workshop.run({ kind: 'share', drawings, logo: { bytes, hasName } });
      const part = await sharp(Buffer.from(png!)).extract({ left, top: 74, width: 40, height: 16 }).toBuffer();
      const { channels } = await sharp(part).stats();
      return channels.map(({ mean }) => mean);
    };
    // Half transparent, over the paper.
    const [red = 255] = await colorAt(70, true);
    expect(red).toBeLessThan(160);
    const [[paper = 0], [letters = 255]] = [await colorAt(140, true), await colorAt(140, false)];
    expect([paper > 235, letters < 225]).toEqual([true, true]);
  });
});
