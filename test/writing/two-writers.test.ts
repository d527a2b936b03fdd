import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { AdminPost } from '../../src/shared/contracts/admin-posts.js';
import { callAs, startSession, type MemberSession } from '../support/admin-area.js';
import { isLong, scaled } from '../support/fault-scale.js';
import { ListColleague } from '../support/list-colleague.js';
import { PROPERTY_SEED } from '../support/property-seed.js';
import { randomNumbers } from '../support/random-numbers.js';
import { Writer, type Dice } from '../support/writer.js';
import { WritingOracle } from '../support/writing-oracle.js';
import { WritingSite } from '../support/writing-site.js';

const MINUTES = Number(process.env['TEST_MINUTES'] ?? 60);
/** A post is written at for so long, or until a busy machine has taken the first word; then everything is looked at. */
const ROUND_MS = scaled(5_000, 60_000);
/** A plan that is made now is carried out after this time. */
const PLAN_MS = 1_500;

/** Everything that happens beside the two who write, as the dice say. */
interface Round {
  readonly site: WritingSite;
  readonly oracle: WritingOracle;
  /** Posts beside it in the list, at which nobody writes. */
  readonly neighbors: readonly WritingOracle[];
  /** Decides on the screen of the list; in the short form, the API has to do. */
  readonly colleague: ListColleague | null;
  readonly session: MemberSession;
  readonly choose: Dice;
  readonly isOver: () => boolean;
}

/** The server dies and comes back, and connections hang, break, or are slow. */
async function breakThings({ site, oracle, choose, isOver }: Round): Promise<void> {
  const { proxy } = site;
  const die = async () => {
    oracle.note('the server is killed');
    await site.kill();
    await delay(choose([0, 500, 2_000]));
    await site.startAgain();
  };
  const hang = async () => {
    oracle.note('connections hang');
    proxy.silence();
    await delay(choose([500, 1_500, 4_000]));
    await proxy.open();
  };
  const stumble = async () => {
    proxy.delay(300);
    await delay(1_000);
    await proxy.open();
    choose([() => proxy.cut(), () => proxy.reset()])();
  };
  const kinds = [die, hang, stumble];
  for (let turn = 0; !isOver(); turn += 1) {
    await delay(scaled(1_000, choose([1_000, 3_000, 6_000])));
    // All of them, before any of them again.
    await kinds[turn % kinds.length]?.();
  }
}

/** A colleague publishes, unpublishes and plans from the list, as the post stands there, at times several at once. */
async function decideElsewhere(round: Round): Promise<void> {
  const { site, oracle, neighbors, colleague, session, choose, isOver } = round;
  const email = site.members[2]?.email ?? '';
  const path = `/api/admin/posts/${oracle.postId}`;
  const call = (method: string, to: string, body?: object) =>
    callAs<AdminPost>(site.directUrl, session, method, path + to, body).catch(() => null);
  while (!isOver()) {
    await delay(choose([500, 1_500, 3_000]));
    if (colleague !== null && choose([true, false])) {
      await colleague.decide([oracle, ...neighbors]);
      continue;
    }
    const post = await call('GET', '');
    if (post === null) continue;
    const { version, is_published: isPublished } = post;
    oracle.note(`the colleague decides about version ${version}, public: ${isPublished}`);
    if (!isPublished && choose([true, false])) {
      const at = Date.now() + PLAN_MS;
      const intent = oracle.intend(null, true, at);
      const planned = await call('PUT', '/schedule', { version, publish_at: new Date(at).toISOString() });
      // Nobody knows what became of a call that was not answered.
      if (planned !== null) await delay(PLAN_MS);
      else intent.until = at + PLAN_MS;
    } else {
      const intent = oracle.intend(email, !isPublished);
      await call('PUT', '/publication', { version, is_published: !isPublished });
      intent.until = Date.now();
    }
  }
}

async function watch({ oracle, neighbors, isOver }: Round): Promise<void> {
  while (!isOver()) {
    for (const each of [oracle, ...neighbors]) await each.look();
    await delay(250);
  }
}

async function write({ choose, isOver }: Round, writer: Writer, crashing: number): Promise<void> {
  for (let step = 1; !isOver(); step += 1) {
    await writer.step(isLong ? choose([...Array<boolean>(19).fill(false), true]) : step === crashing);
  }
}

/** The people of a round, who stay for the next one. */
interface People {
  readonly writers: readonly Writer[];
  readonly colleague: ListColleague | null;
}

async function playRound(site: WritingSite, people: People, choose: Dice, number: number): Promise<void> {
  const { writers, colleague } = people;
  const session = await startSession(site.directUrl, site.members[2]!);
  const content = '<p>First.</p><p>Second.</p><ul><li>One</li><li>Two</li></ul><p>Last.</p>';
  const make = async (name: string) => {
    // The slug follows the title until the post is published for the first time.
    const fields = { title: `Round ${name}`, slug: `round-${name}`, content, author: 'Desk', is_published: false };
    const { id } = await callAs<AdminPost>(site.directUrl, session, 'POST', '/api/admin/posts', fields);
    return new WritingOracle(site, id);
  };
  const oracle = await make(`${number}-post`);
  const neighbors = colleague === null ? [] : [await make(`${number}-post-2`), await make(`${number}-post-3`)];
  await Promise.all(writers.map((writer) => writer.begin(oracle)));

  const end = performance.now() + ROUND_MS;
  const isOver = () => performance.now() > end && oracle.wordCount > 0;
  const round: Round = { site, oracle, neighbors, colleague, session, choose, isOver };
  const writing = writers.map((writer, index) => write(round, writer, 2 + index));
  await Promise.all([breakThings(round), decideElsewhere(round), watch(round), ...writing]);

  await Promise.all(writers.map((writer) => writer.finish()));
  const offered: string[] = [];
  for (const writer of writers) offered.push(await writer.offered());
  const found = { lost: await oracle.findLost(offered.join('\n')), surprises: [] as string[] };
  for (const each of [oracle, ...neighbors]) {
    await each.look();
    const surprises = await each.findSurprises();
    found.surprises.push(...surprises);
    if (found.lost.length + surprises.length > 0) process.stdout.write(`${each.journal.join('\n')}\n`);
  }
  expect(found).toEqual({ lost: [], surprises: [] });
}

it(
  'two people write at one post: no word gets lost, and readers have what somebody decided',
  async () => {
    const site = await WritingSite.start(['ann', 'bob', 'desk']);
    const random = randomNumbers(PROPERTY_SEED);
    const choose: Dice = (values) => values[Math.floor(random() * values.length)]!;
    const writers = [
      await Writer.enter(site, site.members[0]!, 'a', choose),
      await Writer.enter(site, site.members[1]!, 'b', choose),
    ];
    const colleague = isLong ? await ListColleague.enter(site, site.members[2]!, choose) : null;
    const deadline = performance.now() + scaled(0, MINUTES * 60_000);
    for (let number = 1; number === 1 || performance.now() < deadline; number += 1) {
      await playRound(site, { writers, colleague }, choose, number);
      if (isLong)
        process.stdout.write(
          `round ${number}: ${JSON.stringify([...writers, colleague].map((person) => person?.done))}\n`,
        );
    }
  },
  (MINUTES + 10) * 60_000,
);
