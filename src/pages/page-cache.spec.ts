import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Config } from '../config/config.js';
import type { ContentListener } from '../database/content-listener.js';
import type { SiteService } from '../site/site.service.js';
import { DatabaseUnavailableError } from '../database/database-unavailable.js';
import { paths } from '../shared/paths.js';
import { CompletePage } from './complete-page.js';
import { PageCache, type RenderedPage } from './page-cache.js';
import { PageStream } from './page-stream.js';

const page = new CompletePage({ status: 200, headers: {}, body: Buffer.from('kept') });
const succeed = () => Promise.resolve({ page, isPublic: true });
const fail = (): Promise<RenderedPage> => Promise.reject(new DatabaseUnavailableError());
/** Renderings end when their page is compressed. */
const untilOver = async () => {
  await page.gzipped();
  await new Promise(setImmediate);
};
const neverAnswer = () => new Promise<RenderedPage>(() => undefined);

let cache: PageCache;
/** What the cache knows of changes: its callback, and when the database was heard last. */
let listener: { heardAt: number; change: (isTakenBack?: boolean) => void; connect: () => void };

function makeCache(mode: 'production' | 'development' = 'production'): PageCache {
  listener = { heardAt: -Infinity, change: () => undefined, connect: () => undefined };
  const own = listener;
  const heard = {
    get heardAt() {
      return own.heardAt;
    },
    onChange: (callback: () => void) => (own.change = callback),
    onConnect: (callback: () => void) => (own.connect = callback),
  };
  const site = { onChange: () => undefined } as unknown as SiteService;
  return new PageCache({ mode } as Config, heard as unknown as ContentListener, site);
}

beforeEach(async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  cache = makeCache();
  await cache.answer(paths.blogs, succeed);
  // Nobody has heard from the database since.
  jest.advanceTimersByTime(60_000);
});

afterEach(() => {
  jest.useRealTimers();
});

it('lets nobody wait for a database that is known not to answer, while it is tried and after', async () => {
  expect(await cache.answer(paths.blogs, fail)).toMatchObject({ state: 'stale' });
  const tries = jest.fn(neverAnswer);
  for (let second = 0; second < 60; second += 1) {
    expect(cache.find(paths.blogs)).toMatchObject({ state: 'stale' });
    expect(await cache.answer(paths.blogs, tries)).toMatchObject({ state: 'stale' });
    expect(cache.coming(paths.blogs)).toBeUndefined();
    await untilOver();
    await jest.advanceTimersByTimeAsync(1000);
  }
  expect(tries).not.toHaveBeenCalled();
});

it('shows what is new as soon as the database answers, although nobody came by meanwhile', async () => {
  let isAway = true;
  const render = jest.fn(() => (isAway ? fail() : succeed()));
  await cache.answer(paths.blogs, render);
  await untilOver();
  await jest.advanceTimersByTimeAsync(5000);
  await untilOver();
  expect(render.mock.calls.length).toBeGreaterThan(2);
  isAway = false;
  await jest.advanceTimersByTimeAsync(1000);
  await untilOver();
  expect(cache.find(paths.blogs)).toMatchObject({ state: 'hit' });
  jest.advanceTimersByTime(60_000);
  // Nobody has heard from the database since, and nobody knows it to be down.
  expect(cache.find(paths.blogs)).toBeUndefined();
});

const rendered = (text: string, parts: { status?: number; isPublic?: boolean } = {}) => {
  const { status = 200, isPublic = true } = parts;
  return async () => ({ page: new CompletePage({ status, headers: {}, body: Buffer.from(text) }), isPublic });
};
const textOf = (answer: { readonly page: unknown } | undefined) =>
  answer?.page instanceof CompletePage ? answer.page.bodyIn('identity').toString() : undefined;

describe('a page', () => {
  beforeEach(() => {
    cache = makeCache();
  });

  it('is cached for five seconds while nobody is heard, and for an hour while somebody is', async () => {
    await cache.answer(paths.blogs, succeed);
    jest.advanceTimersByTime(5000);
    expect(cache.find(paths.blogs)).toMatchObject({ state: 'hit' });
    jest.advanceTimersByTime(1);
    expect(cache.find(paths.blogs)).toBeUndefined();
    listener.heardAt = performance.now();
    expect(cache.find(paths.blogs)).toMatchObject({ state: 'hit' });
    jest.advanceTimersByTime(5000);
    expect(cache.find(paths.blogs)).toMatchObject({ state: 'hit' });
    jest.advanceTimersByTime(1);
    expect(cache.find(paths.blogs)).toBeUndefined();
    jest.advanceTimersByTime(3_600_000 - 10_002);
    listener.heardAt = performance.now();
    expect(cache.find(paths.blogs)).toMatchObject({ state: 'hit' });
    jest.advanceTimersByTime(1);
    expect(cache.find(paths.blogs)).toBeUndefined();
    expect(cache.holds(paths.blogs)).toBe(true);
  });

  it('is as old as it is when the clock is set back: it would be fresh until that time comes', async () => {
    await cache.answer(paths.blogs, succeed);
    jest.setSystemTime(Date.now() - 10 * 365 * 24 * 3_600_000);
    jest.advanceTimersByTime(5001);
    expect(cache.find(paths.blogs)).toBeUndefined();
  });

  it('is as old as its rendering, however long that takes', async () => {
    await cache.answer(paths.blogs, async () => {
      jest.advanceTimersByTime(5001);
      return await succeed();
    });
    expect(cache.find(paths.blogs)).toBeUndefined();
    expect(cache.holds(paths.blogs)).toBe(true);
  });

  it('is rendered anew after a change, once for all who ask', async () => {
    await cache.answer(paths.blogs, rendered('old'));
    listener.change();
    expect(cache.find(paths.blogs)).toBeUndefined();
    const render = jest.fn(rendered('new'));
    const answers = await Promise.all([cache.answer(paths.blogs, render), cache.answer(paths.blogs, render)]);
    expect(answers.map(textOf)).toEqual(['new', 'new']);
    expect(answers[0]).toMatchObject({ state: 'miss' });
    expect(render).toHaveBeenCalledTimes(1);
    expect(await cache.answer(paths.blogs, render)).toMatchObject({ state: 'hit' });
  });

  it('that a change overtakes is shown to who asked before it, and to nobody else', async () => {
    const { promise, resolve } = Promise.withResolvers<RenderedPage>();
    const early = cache.answer(paths.blogs, () => promise);
    listener.change();
    const late = cache.answer(paths.blogs, rendered('new'));
    resolve(await rendered('old')());
    expect([textOf(await early), textOf(await late)]).toEqual(['old', 'new']);
    expect(textOf(cache.find(paths.blogs))).toBe('new');
    await untilOver();
    expect(cache.coming(paths.blogs)).toBeUndefined();
  });

  it('that a change leaves as it was is not compressed again', async () => {
    const first = await cache.answer(paths.blogs, rendered('same'));
    listener.change();
    expect((await cache.answer(paths.blogs, rendered('same'))).page).toBe(first.page);
    listener.change();
    expect((await cache.answer(paths.blogs, rendered('other'))).page).not.toBe(first.page);
    await cache.answer(paths.pricing, rendered('same', { status: 301 }));
    listener.change();
    const moved = await cache.answer(paths.pricing, rendered('same'));
    expect(moved.page.status).toBe(200);
    listener.change();
    expect((await cache.answer(paths.pricing, rendered('same', { status: 301 }))).page.status).toBe(301);
  });

  it.each([
    ['is of an address that nobody links to', paths.admin.blogs, {}],
    ['is not there', paths.blogs, { status: 404 }],
    ['leads on for now', paths.blogs, { status: 302 }],
    ['leads on from another spelling', paths.blog('Former'), { status: 301 }],
    ['is for somebody', paths.blogs, { isPublic: false }],
  ])('is not cached when it %s, and goes if it was', async (_what, address, parts) => {
    await cache.answer(address, rendered('first'));
    listener.change();
    expect(textOf(await cache.answer(address, rendered('second', parts)))).toBe('second');
    expect(cache.holds(address)).toBe(false);
  });

  it('is cached when it leads on for good, and not at all while somebody develops', async () => {
    await cache.answer(paths.blogs, rendered('', { status: 301 }));
    expect(cache.find(paths.blogs)).toMatchObject({ state: 'hit' });
    const developing = makeCache('development');
    await developing.answer(paths.blogs, succeed);
    expect(developing.holds(paths.blogs)).toBe(false);
  });

  it('that somebody is shown is not taken for the one of everybody', async () => {
    const first = await cache.answer(paths.blogs, rendered('same'));
    listener.change();
    expect((await cache.answer(paths.blogs, rendered('same', { isPublic: false }))).page).not.toBe(first.page);
  });

  it('is waited for only where one was cached, as long as nothing changes and the database answers', async () => {
    const { promise, resolve } = Promise.withResolvers<RenderedPage>();
    void cache.answer(paths.blogs, () => promise);
    expect(cache.coming(paths.blogs)).toBeUndefined();
    expect(cache.coming(paths.pricing)).toBeUndefined();
    resolve(await succeed());
    await untilOver();
    listener.change();
    expect(cache.coming(paths.blogs)).toBeUndefined();
    const second = Promise.withResolvers<RenderedPage>();
    void cache.answer(paths.blogs, () => second.promise);
    const coming = cache.coming(paths.blogs);
    expect(coming).toBeInstanceOf(Promise);
    second.resolve(await succeed());
    await coming;
    expect(cache.find(paths.blogs)).toMatchObject({ state: 'hit' });
    listener.change();
    void cache.answer(paths.blogs, neverAnswer);
    listener.change();
    expect(cache.coming(paths.blogs)).toBeUndefined();
  });

  it('that shows posts goes when something was taken back, and others stay', async () => {
    await cache.answer(paths.blogs, succeed);
    await cache.answer(paths.pricing, succeed);
    listener.change(true);
    expect([paths.blogs, paths.pricing].map((path) => cache.holds(path))).toEqual([false, true]);
  });

  it('that may show what was taken back unheard goes in a minute, unless it is rendered until then', async () => {
    const posts = [paths.blogs, paths.rss, paths.blog('withdrawn')];
    for (const path of [...posts, paths.pricing]) await cache.answer(path, succeed);
    const heldOf = () => posts.filter((path) => cache.holds(path));
    // As a connection that is back tells everybody, before what it announces.
    listener.change();
    listener.connect();
    await cache.answer(paths.blogs, succeed);
    jest.advanceTimersByTime(59_999);
    // The database may have gone again.
    expect(heldOf()).toEqual(posts);
    jest.advanceTimersByTime(1);
    expect(heldOf()).toEqual([paths.blogs]);
    expect(cache.holds(paths.pricing)).toBe(true);
    listener.change();
    jest.advanceTimersByTime(3_600_000);
    expect(heldOf()).toEqual([paths.blogs]);
  });

  it('that cannot be rendered is tried again by the next who asks', async () => {
    await cache.answer(paths.blogs, succeed);
    listener.change();
    const wrong = () => Promise.reject(new Error('A mistake'));
    await expect(cache.answer(paths.blogs, wrong)).rejects.toThrow('A mistake');
    await untilOver();
    expect(cache.find(paths.blogs)).toBeUndefined();
    expect(await cache.answer(paths.blogs, succeed)).toMatchObject({ state: 'miss' });
  });

  it('that never was there is refused while the database is away', async () => {
    await expect(cache.answer(paths.pricing, fail)).rejects.toThrow(DatabaseUnavailableError);
    await cache.answer(paths.blogs, succeed);
    expect(cache.find(paths.blogs)).toMatchObject({ state: 'hit' });
    jest.advanceTimersByTime(60_000);
    expect(cache.find(paths.blogs)).toBeUndefined();
  });

  it('is looked for once a second while the database is away, whatever goes wrong', async () => {
    await cache.answer(paths.blogs, succeed);
    await untilOver();
    jest.advanceTimersByTime(60_000);
    let outcome = fail;
    const render = jest.fn(() => outcome());
    await cache.answer(paths.blogs, render);
    await untilOver();
    await jest.advanceTimersByTimeAsync(999);
    expect(render).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(1);
    await untilOver();
    expect(render).toHaveBeenCalledTimes(2);
    outcome = () => Promise.reject(new Error('A mistake'));
    await jest.advanceTimersByTimeAsync(1000);
    await untilOver();
    // The database answers, so nobody is shown what is old.
    expect(cache.find(paths.blogs)).toBeUndefined();
    await jest.advanceTimersByTimeAsync(5000);
    expect(render).toHaveBeenCalledTimes(3);
  });
});

describe('a page that is rendered piece by piece', () => {
  const head = { status: 200, headers: { etag: 'W/"1"' } };

  beforeEach(() => {
    cache = makeCache();
  });

  it('is rendered although nobody reads it, and cached when it is complete', async () => {
    const page = new PageStream(head, (output) => {
      output.write(Buffer.from('all'));
      output.end();
    });
    expect(await cache.answer(paths.blogs, async () => ({ page, isPublic: true }))).toEqual({ page, state: 'miss' });
    expect(cache.find(paths.blogs)).toBeUndefined();
    await page.whole;
    expect(textOf(cache.find(paths.blogs))).toBe('all');
  });

  it('is not cached when it breaks off, or when something changes meanwhile', async () => {
    const broken = new PageStream(head, (output) => output.destroy(new Error('A mistake')));
    await cache.answer(paths.blogs, async () => ({ page: broken, isPublic: true }));
    await expect(broken.whole).rejects.toThrow('A mistake');
    await untilOver();
    expect(cache.holds(paths.blogs)).toBe(false);
    const overtaken = new PageStream(head, (output) => {
      listener.change();
      output.end();
    });
    await cache.answer(paths.blogs, async () => ({ page: overtaken, isPublic: true }));
    await overtaken.whole;
    expect(cache.holds(paths.blogs)).toBe(false);
  });
});
