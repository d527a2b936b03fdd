import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { EditingService } from '../../src/posts/editing.service.js';
import { PostChangedException, UnsavedChangesException } from '../../src/posts/post.errors.js';
import { PublishingService } from '../../src/posts/publishing.service.js';
import { WorkingCopiesService } from '../../src/posts/working-copies.service.js';
import type { Actor } from '../../src/shared/actor.js';
import { SavePostInput } from '../../src/shared/contracts/admin-post-inputs.js';
import type { AdminPost, PostForm } from '../../src/shared/contracts/admin-posts.js';
import type { PostPresence } from '../../src/shared/contracts/post-presence.js';
import { buildForm, createAdministrator, holdClock, rowsOf, type Administrator } from '../support/admin-posts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { scaled } from '../support/fault-scale.js';
import { untilEqual } from '../support/until.js';

const POSTS = 8;
const ROUNDS = scaled(12, 1_250);
/** Another number tries other interleavings. */
const SEED = 20261121;

type Kind = 'save' | 'autosave' | 'publish' | 'discard';

/** A text that the server took. */
interface Acknowledged {
  readonly version: number;
  readonly editor: string;
  readonly kind: Kind;
  readonly text: string;
}

/** Someone with the post open in the editor. */
interface Editor {
  readonly name: string;
  readonly actor: Actor;
  /** As the editor saw the post last. */
  seen: AdminPost;
}

let app: TestApp;
let ada: Administrator;
let bob: Administrator;

beforeAll(async () => {
  app = await createTestApp({ DATABASE_POOL_SIZE: '10' });
  holdClock(app, '2026-03-01T10:00:00Z');
  ada = await createAdministrator(app, 'ada@example.com');
  bob = await createAdministrator(app, 'bob@example.com');
});

/** Random numbers that are the same at every run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A request of an editor, which can be sent again any number of times. */
interface Attempt {
  readonly editor: Editor;
  readonly kind: Kind;
  readonly text: string;
  readonly version: number;
  send(): Promise<AdminPost | { readonly version: number }>;
}

function attemptOf(editor: Editor, kind: Kind, text: string): Attempt {
  const editing = app.get(EditingService);
  const { id, version, saved, is_published } = editor.seen;
  const save_id = randomUUID();
  const fields: PostForm = { ...saved, content: `<p>${text}</p>` };
  const senders: Record<Kind, Attempt['send']> = {
    save: () => editing.save(editor.actor, id, plainToInstance(SavePostInput, { ...fields, version, save_id })),
    autosave: () => app.get(WorkingCopiesService).keep(editor.actor, id, { version, save_id, fields }),
    publish: () =>
      app.get(PublishingService).setPublication(editor.actor, id, { version, is_published: !is_published }),
    discard: () => app.get(WorkingCopiesService).discard(editor.actor, id, version),
  };
  return { editor, kind, text, version, send: senders[kind] };
}

const isText = ({ kind }: { readonly kind: Kind }) => kind === 'save' || kind === 'autosave';

/** All rounds of one post; returns the texts that were taken. */
async function play(postId: string, seed: number): Promise<Acknowledged[]> {
  const random = randomFrom(seed);
  const editing = app.get(EditingService);
  const actorOf = ({ user }: Administrator): Actor => ({ kind: 'user', userId: user.id });
  const first = await editing.find(actorOf(ada), postId);
  const editors: Editor[] = [
    { name: 'ada', actor: actorOf(ada), seen: first },
    { name: 'bob', actor: actorOf(bob), seen: first },
  ];
  const taken: Acknowledged[] = [];
  let current = first;
  for (let round = 0; round < ROUNDS; round += 1) {
    const attempts = editors.map((editor) => {
      const dice = random();
      const kind = dice < 0.4 ? 'save' : dice < 0.8 ? 'autosave' : dice < 0.93 ? 'publish' : 'discard';
      return attemptOf(editor, kind, `${seed}-${round}-${editor.name}`);
    });
    if (random() < 0.5) attempts.reverse();
    const outcomes = await Promise.allSettled(attempts.map((attempt) => attempt.send()));
    const winners = attempts.filter((attempt, index) => {
      const outcome = outcomes[index];
      return outcome?.status === 'fulfilled' && outcome.value.version > attempt.version;
    });
    const isRace = attempts.every((attempt) => isText(attempt) && attempt.version === current.version);
    if (isRace) expect(winners).toHaveLength(1);
    expect(winners.length).toBeLessThanOrEqual(1);
    for (const [index, attempt] of attempts.entries()) {
      const outcome = outcomes[index];
      const { editor, kind, text } = attempt;
      if (outcome?.status === 'fulfilled') {
        if (isText(attempt)) taken.push({ version: outcome.value.version, editor: editor.name, kind, text });
        continue;
      }
      // Whoever is late is told so, with the post as it stands.
      const reason: unknown = outcome?.reason;
      if (!(reason instanceof UnsavedChangesException)) expect(reason).toBeInstanceOf(PostChangedException);
    }
    const [winner] = winners;
    const answer = outcomes[attempts.findIndex((attempt) => attempt === winner)];
    if (answer?.status === 'fulfilled') {
      current = 'saved' in answer.value ? answer.value : await editing.find(actorOf(ada), postId);
    }
    if (winner && isText(winner) && random() < 0.2) expect((await winner.send()).version).toBe(current.version);
    for (const editor of editors) {
      // Who won knows; who lost looks, or does not yet.
      const hasWon = winners.some((attempt) => attempt.editor === editor);
      if (hasWon || random() < 0.8) editor.seen = current;
    }
  }
  return taken;
}

/** A text may only be gone when the same editor went on from it. */
function mustRemain(taken: readonly Acknowledged[]): string[] {
  const inOrder = taken.toSorted((a, b) => a.version - b.version);
  return inOrder.flatMap(({ kind, editor, text }, index) => {
    const next = inOrder[index + 1];
    return kind === 'save' || next?.editor !== editor ? [text] : [];
  });
}

describe('two editors of one post', () => {
  it(`lose no text in ${POSTS * ROUNDS} interleavings, and of two racing saves exactly one wins`, async () => {
    const posts = await Promise.all(
      Array.from({ length: POSTS }, async (_, index) => {
        const form = buildForm({ slug: `race-${index}` });
        const post = await ada.call('POST', '/posts', { ...form, is_published: index % 2 === 0 });
        return post.body.id;
      }),
    );
    const taken = await Promise.all(posts.map((id, index) => play(id, SEED + index)));
    const kept = new Set(
      [...(await rowsOf(app, 'blog_posts')), ...(await rowsOf(app, 'post_revisions'))].flatMap((row) =>
        JSON.stringify(row).match(/\d+-\d+-(?:ada|bob)/g),
      ),
    );
    const wanted = taken.flatMap(mustRemain);
    expect(wanted.length).toBeGreaterThan(POSTS * ROUNDS * 0.4);
    expect(wanted.filter((text) => !kept.has(text))).toEqual([]);
  });

  it('race over HTTP the same way', async () => {
    let { body: post } = await ada.call('POST', '/posts', buildForm({ slug: 'http-race' }));
    for (let round = 0; round < 10; round += 1) {
      const save = { ...post.saved, version: post.version };
      const answers = await Promise.all([
        ada.call('PUT', `/posts/${post.id}`, { ...save, title: `Ada ${round}` }),
        bob.call('PUT', `/posts/${post.id}/working-copy`, {
          version: post.version,
          fields: { ...post.saved, title: `Bob ${round}` },
        }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const won = answers.find(({ status }) => status === 200)!;
      const lost = answers.find(({ status }) => status === 409)!;
      expect(lost.body).toMatchObject({ code: 'post_changed', current: won.body });
      post = won.body;
    }
  });
});

describe('editors that have the same post open', () => {
  it('learn of each other and of saves through any process, and of nobody who fell silent', async () => {
    const other = await createTestApp({ DATABASE_URL: app.config.database.url });
    const clocks = [app, other].map((each) => holdClock(each, '2026-03-01T10:00:00Z'));
    const cleo = await createAdministrator(other, 'cleo@example.com');
    const { body: post } = await ada.call('POST', '/posts', buildForm({ slug: 'open' }));
    const url = `/posts/${post.id}/presence`;
    const [adaTab, adaPhone, cleoTab] = [randomUUID(), randomUUID(), randomUUID()];
    const rowsBefore = await rowsOf(app, 'audit_log');
    const ask = async (who: Administrator, body: object) => (await who.call<PostPresence>('POST', url, body)).body;

    expect(await ask(ada, { tab: adaTab })).toEqual({
      others: [],
      is_open_elsewhere: false,
      version: post.version,
      save_id: post.save_id,
      is_trashed: false,
      is_kept: false,
      written_by: 'ada@example.com',
      changed_at: post.updated_at,
    });
    await untilEqual(async () => (await ask(cleo, { tab: cleoTab })).others, ['ada@example.com']);
    await untilEqual(async () => (await ask(ada, { tab: adaTab })).others, ['cleo@example.com']);
    expect(await ask(ada, { tab: adaPhone, is_hidden: true })).toMatchObject({ is_open_elsewhere: true });

    await cleo.call('PUT', `/posts/${post.id}`, { ...buildForm({ slug: 'open', title: 'By Cleo' }), version: 1 });
    expect(await ask(ada, { tab: adaTab })).toMatchObject({ version: 2, written_by: 'cleo@example.com' });
    expect(await rowsOf(app, 'audit_log')).toHaveLength(rowsBefore.length + 1);

    // Words are heard in the order in which they were said: none of before comes when the clocks are wound.
    const { body: last } = await ada.call('POST', '/posts', buildForm({ slug: 'open-last' }));
    const askLast = async (who: Administrator, tab: string) =>
      (await who.call<PostPresence>('POST', `/posts/${last.id}/presence`, { tab })).body;
    await askLast(cleo, cleoTab);
    await untilEqual(async () => (await askLast(ada, adaTab)).others, ['cleo@example.com']);

    for (const clock of clocks) clock.set('2026-03-01T10:00:10Z');
    expect(await ask(ada, { tab: adaTab })).toMatchObject({ others: [], is_open_elsewhere: true });
    for (const clock of clocks) clock.set('2026-03-01T10:02:00Z');
    expect(await ask(ada, { tab: adaTab })).toMatchObject({ is_open_elsewhere: false });

    expect((await ada.call('POST', url, { tab: 'x' })).status).toBe(422);
    expect((await ada.call('POST', `/posts/${randomUUID()}/presence`, { tab: adaTab })).status).toBe(404);
  });
});
