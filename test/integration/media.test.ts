import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import sharp from 'sharp';
import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import type { UserRow } from '../../src/auth/accounts/user.entity.js';
import { AuditRecord } from '../../src/audit/audit-entry.entity.js';
import { preparePost } from '../../src/posts/post-preparation.js';
import { Post, type PostRow } from '../../src/posts/post.entity.js';
import { ImportedPostsService } from '../../src/import/imported-posts.service.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { Clock } from '../../src/shared/clock.js';
import type { MediaItem, MediaPage, PostUseKind } from '../../src/shared/contracts/media.js';
import type { PostInput } from '../../src/shared/contracts/post-input.js';
import { MEDIA_PATH, renditionsOf } from '../../src/shared/media.js';
import { ImageUse } from '../../src/uploads/image-use.entity.js';
import { Image } from '../../src/uploads/image.entity.js';
import { MEDIA_PAGE_SIZE, MediaLibraryService } from '../../src/uploads/media-library.service.js';
import type { MediaCheckService } from '../../src/uploads/media-check.service.js';
import { MediaUpkeep } from '../../src/uploads/media-upkeep.js';
import { MediaSweepService } from '../../src/uploads/media-sweep.service.js';
import { STORAGE, StorageError, type Storage } from '../../src/uploads/storage/storage.js';
import { UploadsService } from '../../src/uploads/uploads.service.js';
import { createAccount, signIn } from '../support/accounts.js';
import { nextMoment } from '../support/clock.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildPost, changePosts, createPosts } from '../support/factories.js';
import { itSlow } from '../support/slow-tests.js';
import { withSlowWrites } from '../support/slow-writes.js';
import { storageDrivers } from '../support/storages.js';
import { until } from '../support/until.js';

const DAY_MS = 86_400_000;

describe('the upkeep of media', () => {
  it('sweeps a minute after the start and then every day, while no other process does', async () => {
    const em = (await createTestApp()).get(EntityManager);
    const sweeps: unknown[] = [];
    const sweeper = {
      sweep: async (signal: unknown) => void sweeps.push(signal),
      removeAbandoned: async () => undefined,
    };
    const checker = { check: async () => ({ images: 0, lacking: 0 }) } as unknown as MediaCheckService;
    const upkeep = new MediaUpkeep(em, sweeper as unknown as MediaSweepService, checker);
    const timers: { readonly run: () => void; readonly ms: number | undefined }[] = [];
    const spy = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
      timers.push({ run, ms });
      return { unref: () => undefined };
    }) as unknown as typeof setTimeout);
    upkeep.onApplicationBootstrap();
    timers[0]!.run();
    spy.mockRestore();
    expect(timers.map(({ ms }) => ms)).toEqual([60_000, DAY_MS]);
    await upkeep.beforeApplicationShutdown();
    expect(sweeps).toEqual([expect.objectContaining({ aborted: true })]);

    const other = em.fork();
    await other.begin();
    await other.execute('select pg_advisory_xact_lock(?)', [ADVISORY_LOCKS.mediaSweep]);
    const late = new MediaUpkeep(em, sweeper as unknown as MediaSweepService, checker);
    await late.sweepAlone();
    expect(sweeps).toHaveLength(1);
    await other.commit();
    await late.sweepAlone();
    expect(sweeps).toHaveLength(2);
  });
});

describe.each(storageDrivers)('media over the %s storage', (driver, start) => {
  /** What does not touch the files is the same over both; of the sweeps, the shorter tests are enough for the second. */
  const itOverAny = driver === 'folder' ? it : itSlow;
  let app: TestApp;
  let uploads: UploadsService;
  let posts: ImportedPostsService;
  let sweeper: MediaSweepService;
  let storage: Storage;
  let admin: UserRow;
  let ahead = 0;

  const em = () => app.get(EntityManager).fork();

  beforeAll(async () => {
    app = await createTestApp(await start());
    uploads = app.get(UploadsService);
    posts = app.get(ImportedPostsService);
    sweeper = app.get(MediaSweepService);
    storage = app.get<Storage>(STORAGE);
    app.get(Clock).now = () => new Date(nextMoment().getTime() + ahead);
    admin = await createAccount(app);
    await app.get(RolesService).grantAdmin(OPERATOR, admin.id);
  });

  let shade = 0;
  const newBytes = (height = 8) => {
    shade += 1;
    const background = { r: shade % 256, g: Math.floor(shade / 256), b: 0 };
    return sharp({ create: { width: 8, height, channels: 3, background } })
      .png()
      .toBuffer();
  };
  const newImage = async (height = 8) => await uploads.storeImage(await newBytes(height));
  const idOf = ({ url }: { readonly url: string }) => url.slice(MEDIA_PATH.length).slice(0, 32);
  const img = ({ url }: { readonly url: string }) => `<p>Text <img src="${url}" alt=""></p>`;
  const isServed = async ({ url }: { readonly url: string }) => (await app.inject(url)).statusCode === 200;

  const newPost = async (overrides: Partial<PostInput>): Promise<PostRow> => {
    const [post] = await createPosts(app, [overrides]);
    return await em().findOneOrFail(Post, { slug: post!.slug });
  };
  const write = async (post: PostRow, overrides: Partial<PostInput>) => {
    const target = await em().findOneOrFail(Post, { id: post.id });
    await posts.savePosts(OPERATOR, [{ target, fields: preparePost(buildPost(overrides)) }]);
  };
  const record = (post: PostRow, kind: PostUseKind, images: readonly { readonly name: string }[]) =>
    em().transactional(async (inner) => {
      await uploads.recordUses(
        inner,
        post.id,
        kind,
        images.map(({ name }) => name),
      );
    });
  /** As when its earlier versions are not kept any more. */
  const forgetRevisions = (post: PostRow) => em().nativeDelete(ImageUse, { post: post.id, kind: 'revision' });
  // A token does not outlive the days that pass here.
  const headers = async () => ({ authorization: `Bearer ${(await signIn(app, admin)).accessToken}` });
  const list = async (query = ''): Promise<MediaPage> => {
    const answer = await app.inject({ url: `/api/admin/media${query}`, headers: await headers() });
    expect(answer.statusCode).toBe(200);
    return answer.json<MediaPage>();
  };
  const find = async (image: { readonly url: string }): Promise<MediaItem | undefined> =>
    (await list()).items.find(({ url }) => url === image.url);
  const remove = async (image: { readonly url: string }) =>
    await app.inject({ method: 'DELETE', url: `/api/admin/media/${idOf(image)}`, headers: await headers() });

  /** Lets the days pass, with a sweep at the start and at the end, as an image has to be found unused first. */
  const sweepOver = async (days: number) => {
    await sweeper.sweep();
    ahead += days * DAY_MS;
    return await sweeper.sweep();
  };

  itOverAny('says of every image where it is shown, whatever its address looks like', async () => {
    const [cover, inText, unused] = [await newImage(), await newImage(), await newImage()];
    const variant = renditionsOf(inText.name)[1]!.name;
    const unknown = { url: `${MEDIA_PATH}${'f'.repeat(32)}-8x8.png` };
    const content = img(cover) + img({ url: `https://bucket.example/blog/${variant}` }) + img(unknown);
    const post = await newPost({ title: 'Shows 100% of it', image_url: cover.url, content });

    const use = { post_id: post.id, title: 'Shows 100% of it', kind: 'post' };
    expect(await find(cover)).toMatchObject({ uses: [use, { ...use, kind: 'revision' }] });
    expect(await find(inText)).toMatchObject({ uses: [use, { ...use, kind: 'revision' }] });
    expect(await find(unused)).toEqual({
      id: idOf(unused),
      url: unused.url,
      name: unused.name,
      file_name: null,
      alt: '',
      thumbnail: `${MEDIA_PATH}${idOf(unused)}-8x8-8.webp`,
      width: 8,
      height: 8,
      bytes: unused.bytes,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      uses: [],
    });
    expect((await list('?unused=true')).items.map(({ url }) => url)).toEqual([unused.url]);
    expect((await list('?search=100%25%20OF')).items.map(({ url }) => url)).toEqual([inText.url, cover.url]);
    expect((await list('?search=1_0')).items).toEqual([]);

    // A save replaces what the post showed, but not what its revisions show.
    await write(post, { content: img(unused) });
    expect((await find(unused))?.uses.map(({ kind }) => kind)).toEqual(['post', 'revision']);
    expect((await find(cover))?.uses.map(({ kind }) => kind)).toEqual(['revision']);
    await changePosts(app, 'unpublish', [(await em().findOneOrFail(Post, { id: post.id })).slug]);
    expect((await find(unused))?.uses).toHaveLength(2);
    await em().nativeDelete(Post, { id: post.id });
    expect((await find(cover))?.uses).toEqual([]);
  });

  it('removes an image when it is asked to and nothing shows it', async () => {
    const bytes = await newBytes();
    const image = await uploads.storeImage(bytes);
    const post = await newPost({ title: 'In the way', image_url: image.url });
    await record(post, 'working-copy', [image]);
    const refusal = await remove(image);
    expect(refusal.statusCode).toBe(409);
    const places = 'the post “In the way”, an earlier version of “In the way”, unpublished changes to “In the way”';
    expect(refusal.json()).toMatchObject({ code: 'image_in_use', message: `This image is shown in ${places}.` });
    await write(post, { image_url: null });
    expect((await remove(image)).statusCode).toBe(409);
    await record(post, 'working-copy', []);
    expect((await remove(image)).statusCode).toBe(409);
    await forgetRevisions(post);
    expect((await remove(image)).statusCode).toBe(204);
    expect((await remove(image)).json()).toMatchObject({ code: 'image_not_found' });
    // The activity says who did it, once, and has no line of what was refused.
    const lines = await em().find(AuditRecord, { subjectType: 'image', subjectId: idOf(image) });
    expect(lines.map(({ action, actorId }) => [action, actorId])).toEqual([['image.removed', admin.id]]);
    expect(await find(image)).toBeUndefined();
    for (const { name } of renditionsOf(image.name)) expect(await storage.open(name)).toBeNull();

    // A text that was written before is told, and changes nothing.
    await expect(write(post, { content: img(image) })).rejects.toMatchObject({ response: { code: 'image_gone' } });
    expect((await em().findOneOrFail(Post, { id: post.id })).content).not.toContain(image.url);
    const again = await uploads.storeImage(bytes);
    expect(again).toMatchObject({ isNew: true });
    expect(again.url).not.toBe(image.url);
    await write(post, { content: img(again) });
    expect(await isServed(again)).toBe(true);
  });

  itOverAny('lets a save win that uses an image before its removal, and refuses one that comes after', async () => {
    const [first, second] = [await newImage(), await newImage()];
    const post = await newPost({});
    const saving = em();
    await saving.begin();
    await uploads.recordUses(saving, post.id, 'post', [first.url]);
    const removal = remove(first);
    await someoneWaits();
    await saving.commit();
    expect((await removal).json()).toMatchObject({ code: 'image_in_use' });

    const removing = em();
    await removing.begin();
    await removing.execute('update images set removed_at = now(), source_hash = null where id = ?', [idOf(second)]);
    const late = expect(record(post, 'working-copy', [second])).rejects.toMatchObject({
      response: { code: 'image_gone' },
    });
    await someoneWaits();
    await removing.commit();
    await late;
  });

  itSlow('lets a save win that uses an image before a sweep removes it, however late', async () => {
    const post = await newPost({});
    // A sweep does not wait: who holds the image is about to use it.
    ahead += 40 * DAY_MS;
    const third = await newImage();
    await sweeper.sweep();
    ahead += 40 * DAY_MS;
    const using = em();
    await using.begin();
    await uploads.recordUses(using, post.id, 'post', [third.url]);
    await sweeper.sweep();
    await using.commit();
    expect(await isServed(third)).toBe(true);
    expect(await find(third)).toMatchObject({ uses: [{ kind: 'post' }] });
    // One that is used after the sweep began is looked at once more.
    const [one, two] = [await newImage(), await newImage()];
    await sweeper.sweep();
    ahead += 40 * DAY_MS;
    const original = storage.delete.bind(storage);
    let spared: typeof one | undefined;
    storage.delete = async (name) => {
      if (spared === undefined) {
        spared = name.startsWith(idOf(one)) ? two : one;
        await record(post, 'working-copy', [spared]);
      }
      await original(name);
    };
    await sweeper.sweep();
    storage.delete = original;
    expect(await isServed(spared!)).toBe(true);
  });

  async function someoneWaits(): Promise<void> {
    const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await until(async () => (await em().execute<unknown[]>(waiting)).length > 0);
  }

  itOverAny('sweeps what nothing has shown for 30 days, counted from when it was last wanted', async () => {
    const bytes = await newBytes();
    const [forgotten, wanted, shown] = [await newImage(), await uploads.storeImage(bytes), await newImage()];
    const kept = await Promise.all((['post', 'working-copy', 'revision'] as const).map(() => newImage()));
    const post = await newPost({ image_url: kept[0]!.url });
    await record(post, 'working-copy', [kept[1]!]);
    await record(post, 'revision', [kept[2]!]);

    await sweepOver(29);
    expect(await isServed(forgotten)).toBe(true);
    expect(await uploads.storeImage(bytes)).toMatchObject({ url: wanted.url, isNew: false });
    const brief = await newPost({ image_url: shown.url });
    await sweeper.sweep();
    await write(brief, { image_url: null });
    await forgetRevisions(brief);
    await sweepOver(2);
    expect([await isServed(forgotten), await isServed(wanted), await isServed(shown)]).toEqual([false, true, true]);
    for (const { name } of renditionsOf(forgotten.name)) expect(await storage.open(name)).toBeNull();
    await sweepOver(31);
    expect([await isServed(wanted), await isServed(shown)]).toEqual([false, false]);
    for (const image of kept) expect(await isServed(image)).toBe(true);
  });

  it('is swept by the next one where a sweep was killed, or the storage failed', async () => {
    const image = await newImage();
    const original = storage.delete.bind(storage);
    storage.delete = () => Promise.reject(new StorageError('The disk is gone'));
    await sweepOver(31);
    storage.delete = original;
    expect(await find(image)).toBeUndefined();
    expect(await isServed(image)).toBe(true);
    expect(await sweeper.sweep()).toMatchObject({ images: 0 });
    expect(await isServed(image)).toBe(false);
    const stopped = await sweeper.sweep(AbortSignal.abort());
    expect(stopped).toEqual({ images: 0, files: 0 });
  });

  itOverAny('sweeps old files without an image, and no others', async () => {
    const left = { name: `${'a'.repeat(32)}-8x8.png` };
    await storage.put(left.name, Buffer.from('left'), 'image/png');
    await storage.put('logo.png', Buffer.from('not ours'), 'image/png');
    await newPost({ image_url: (await newImage()).url });
    const isThere = async (name: string) => {
      const file = await storage.open(name);
      file?.stream.destroy();
      return file !== null;
    };
    // The clock of the storage is its own.
    const before = ahead;
    for (const [days, stays] of [
      [0, true],
      [6, true],
      [8, false],
    ] as const) {
      ahead = days * DAY_MS;
      await sweeper.sweep();
      expect(await isThere(left.name)).toBe(stays);
    }
    ahead = before;
    await sweepOver(31);
    expect([await isThere(left.name), await isThere('logo.png')]).toEqual([false, true]);

    // A database that knows few of the images is that of another site, or a new one.
    const strangers = Array.from({ length: 100 }, (_, at) => `${at.toString(16).padStart(32, 'b')}-8x8.png`);
    await Promise.all(strangers.map((name) => storage.put(name, Buffer.from('theirs'), 'image/png')));
    await sweepOver(31);
    expect(await isThere(strangers[0]!)).toBe(true);
    await Promise.all(strangers.map((name) => storage.delete(name)));
  });

  it('spares files that have got an image again since the sweep began', async () => {
    const [came, left] = ['d', 'e'].map((digit) => ({ id: digit.repeat(32), name: `${digit.repeat(32)}-8x8.png` }));
    for (const { name } of [came!, left!]) await storage.put(name, Buffer.from('of before'), 'image/png');
    await newPost({ image_url: (await newImage()).url });
    await newPost({ image_url: (await newImage()).url });
    const list = storage.list.bind(storage);
    storage.list = async function* () {
      yield* list();
      // As an import does that takes the image of an export, or a restore.
      await em().insert(Image, { ...came!, sourceHash: 'd'.repeat(64), byteSize: 9 });
    };
    const before = ahead;
    ahead = 8 * DAY_MS;
    await sweeper.sweep();
    ahead = before;
    storage.list = list;
    expect([await storage.sizeOf(came!.name), await storage.sizeOf(left!.name)]).toEqual([9, null]);
    await em().nativeDelete(Image, { id: came!.id });
    await storage.delete(came!.name);
  });

  itOverAny('lists page by page, missing none and repeating none while others come', async () => {
    const source = await em().findOneOrFail(Image, { removedAt: null });
    const createdAt = new Date('2020-01-01T00:00:00Z');
    const rows = Array.from({ length: MEDIA_PAGE_SIZE + 5 }, (_, at) => {
      const id = at.toString(16).padStart(32, 'c');
      return { id, name: `${id}-8x8.png`, sourceHash: id.padStart(64, '0'), byteSize: source.byteSize, createdAt };
    });
    await em().insertMany(Image, rows);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: MediaPage = await list(`?cursor=${cursor}`);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
      if (cursor !== null) await newImage();
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(rows.filter(({ id }) => !seen.includes(id))).toEqual([]);
    expect(seen.slice(-rows.length)).toEqual(
      rows
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
    await em().nativeDelete(Image, { id: { $in: rows.map(({ id }) => id) } });
  });

  itOverAny('lists everything for operators, also what came within one millisecond', async () => {
    // More than are read at once.
    await em().execute(
      `insert into images (id, name, source_hash, byte_size, created_at)
       select id, id || '-8x8.png', id || id, 1, '2020-01-01 00:00:00.000123+00'
       from (select 'd0d0' || lpad(number::text, 28, '0') as id from generate_series(1, 600) number) made`,
    );
    const listed: string[] = [];
    for await (const { name } of app.get(MediaLibraryService).listAll(OPERATOR)) listed.push(name);
    expect(listed.filter((name) => name.startsWith('d0d0'))).toHaveLength(600);
    expect(new Set(listed).size).toBe(listed.length);
    await em().execute("delete from images where id like 'd0d0%'");
  });

  itOverAny('is found by the name of its file and by its words, and the first name stays', async () => {
    const bytes = await newBytes();
    const named = await uploads.storeImage(bytes, undefined, undefined, { fileName: 'rack 100%.png' });
    await uploads.storeImage(bytes, undefined, undefined, { fileName: 'another.png' });
    const url = `/api/admin/media/${idOf(named)}`;
    const describe = async (alt: string, before?: null) =>
      (await app.inject({ method: 'PUT', url, headers: await headers(), payload: { alt, before } })).statusCode;
    expect(await describe('A rack', null)).toBe(204);
    expect(await describe(' A  cabinet\n of cables ')).toBe(204);
    expect(await describe('x'.repeat(2001))).toBe(400);
    const describeOver = async (before: string, alt: string) => {
      const answer = await app.inject({ method: 'PUT', url, headers: await headers(), payload: { alt, before } });
      return [answer.statusCode, ...(answer.statusCode === 409 ? [answer.json<object>()] : [])];
    };
    const [described] = [{ code: 'image_described', alt: 'A cabinet of cables' }];
    expect(await describeOver('', 'A shelf')).toEqual([409, expect.objectContaining(described)]);
    // As it was typed, and once more when the first answer was lost.
    expect(await describeOver(' A  cabinet of cables', 'A shelf')).toEqual([204]);
    expect(await describeOver('A cabinet of cables', ' A shelf ')).toEqual([204]);
    expect(await describe('A cabinet of cables')).toBe(204);
    expect(await find(named)).toMatchObject({ file_name: 'rack 100%.png', alt: 'A cabinet of cables' });
    for (const search of ['RACK', '100%25', 'cabinet']) {
      expect((await list(`?search=${search}`)).items.map((item) => item.url)).toEqual([named.url]);
    }
    expect((await list('?search=another')).items).toEqual([]);
    // The name as earlier versions stored that of a Mac, with its accents apart.
    const apart = await uploads.storeImage(await newBytes(), undefined, undefined, { fileName: 'Bu\u0308ro.png' });
    const composed = await uploads.storeImage(await newBytes(), undefined, undefined, { fileName: 'B\u00fcro.png' });
    for (const search of ['b\u00fcro', 'bu\u0308ro']) {
      const { items } = await list(`?search=${encodeURIComponent(search)}`);
      expect(items.map((item) => item.url)).toEqual([composed.url, apart.url]);
    }
    const fetched = await uploads.storeImage(
      await newBytes(),
      undefined,
      'https://example.com/a%20b/desk%20one.jpg?w=5',
    );
    expect(await find(fetched)).toMatchObject({ file_name: 'desk one.jpg' });
  });

  itOverAny('takes the place of another in posts and in edits that wait, and not in earlier versions', async () => {
    const [old, next] = [await newImage(), await newImage()];
    const post = await newPost({ title: 'Replaced', image_url: old.url, content: img(old) });
    const replace = async (from: string, to: string) => {
      const payload = { from, to };
      const answer = await app.inject({
        method: 'POST',
        url: '/api/admin/posts/replace-image',
        headers: await headers(),
        payload,
      });
      return { status: answer.statusCode, body: answer.json<object>() };
    };
    expect(await replace(old.url, next.url)).toEqual({ status: 200, body: { posts: 1, company: [] } });
    const row = await em().findOneOrFail(Post, { id: post.id });
    expect([row.imageUrl, row.content]).toEqual([next.url, img(next)]);
    expect((await find(old))?.uses.map(({ kind }) => kind)).toEqual(['revision']);
    expect((await find(next))?.uses.map(({ kind }) => kind)).toEqual(['post']);
    // Who is later than somebody else is told so, and the log has no line about what did not happen.
    const isReplacement = { action: 'image.replaced', subjectId: (await find(old))?.id ?? '' };
    expect(await replace(old.url, (await newImage(7)).url)).toMatchObject({
      status: 409,
      body: { code: 'image_not_shown' },
    });
    expect(await em().count(AuditRecord, isReplacement)).toBe(1);
    expect(await replace(next.url, next.url)).toMatchObject({
      status: 422,
      body: { fields: { to: ['This is the same image'] } },
    });
    const elsewhere = 'https://example.com/picture.png';
    expect(await replace(next.url, elsewhere)).toMatchObject({ status: 422, body: { code: 'invalid_post' } });
    const gone = `${MEDIA_PATH}${'e'.repeat(32)}-8x8.png`;
    expect(await replace(next.url, gone)).toMatchObject({
      status: 422,
      body: { fields: { to: ['There is no such image'] } },
    });

    // In very many posts it takes longer than a request may.
    const replaced = await withSlowWrites(app, 10_000, () => replace(next.url, old.url));
    expect(replaced).toEqual({ status: 200, body: { posts: 1, company: [] } });
    await replace(old.url, next.url);

    // The focal point means something in a picture of the same shape, and nothing in any other.
    await write(post, { image_url: next.url, image_focus: '10% 90%' });
    const focusIn = async ({ url }: { readonly url: string }) => {
      const before = await em().findOneOrFail(Post, { id: post.id });
      await replace(before.imageUrl!, url);
      return (await em().findOneOrFail(Post, { id: post.id })).imageFocus;
    };
    expect([await focusIn(old), await focusIn(await newImage(6))]).toEqual(['10% 90%', null]);
    await em().nativeDelete(Post, { id: post.id });
  });

  it('is for administrators', async () => {
    const { id } = await createAccount(app);
    const library = app.get(MediaLibraryService);
    const actor = { kind: 'user', userId: id } as const;
    await expect(library.list(actor, {})).rejects.toMatchObject({ response: { code: 'not_admin' } });
    await expect(library.remove(actor, 'x')).rejects.toMatchObject({ response: { code: 'not_admin' } });
    expect((await app.inject('/api/admin/media')).statusCode).toBe(401);
  });
});
