import { SingleBar } from 'cli-progress';
import {
  type BatchService,
  BATCH_SIZE,
  type BatchChange,
  type BatchPlan,
  type PlannedChange,
  type PostSelection,
} from '../src/posts/batch.service.js';
import { OPERATOR } from '../src/shared/actor.js';
import { describeMoment } from '../src/shared/moments.js';
import { beforeSignalEnds } from './before-signal.js';
import { confirm } from './confirm.js';
import { EXIT_CODES, exitCodeFor } from './exit-codes.js';
import { printableLine } from './printable.js';
import { changeWords, countPlan, describeUnchosen, formatPlan, refusalWords } from './post-change-texts.js';

/** A selection that chooses none is a mistake as often as not. */
const NO_SUCH_POSTS = 'No post is so. Tags and categories are written with their capitals.\n';

/** How to go about a change of posts. */
export interface ChangeFlags {
  readonly yes?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

/** A change of posts that somebody asked for. */
export interface WantedChange {
  readonly change: BatchChange;
  readonly selection: PostSelection;
  readonly flags: ChangeFlags;
  readonly timeZone: string;
}

/**
 * Shows the effect of a change, asks for consent if it concerns more than posts that were named, and carries it out.
 * @throws Error where nobody can be asked
 */
export async function changePosts(batch: BatchService, wanted: WantedChange): Promise<void> {
  const { change, selection, flags, timeZone } = wanted;
  const plan = await batch.plan(OPERATOR, change, selection);
  if (flags.dryRun) return report(wanted, plan);
  const { done } = countPlan(plan);
  const isNamed = selection.slugs !== undefined && change.kind !== 'delete-forever';
  if (done > 0 && !isNamed && !flags.yes) {
    (flags.json ? process.stderr : process.stdout).write(formatPlan(change, plan, timeZone));
    if (!(await confirm(`${changeWords[change.kind].verb} ${done === 1 ? 'this post' : `these ${done} posts`}?`))) {
      process.exitCode = EXIT_CODES.nothingDone;
      process.stderr.write('Nothing was changed.\n');
      return;
    }
  }
  const { posts, failure } = await applyInBatches(batch, change, plan.posts, flags.json === true);
  if (failure === null) return report(wanted, { ...plan, posts });
  // What was changed until then stays.
  if (posts.some(({ outcome }) => outcome === 'done')) report(wanted, { ...plan, posts }, failure);
  throw failure;
}

/** The posts that were tried or refused, with their outcomes, and why the others were not tried. */
interface Applied {
  readonly posts: readonly PlannedChange[];
  readonly failure: Error | null;
}

/** Carries a change out. Posts that the plan refused are not tried. */
async function applyInBatches(
  batch: BatchService,
  change: BatchChange,
  posts: readonly PlannedChange[],
  isQuiet: boolean,
): Promise<Applied> {
  const doable = posts.filter(({ outcome }) => outcome === 'done');
  const left = posts.filter(({ outcome }) => outcome !== 'done');
  const outcomes = new Map(left.map(({ id, outcome }) => [id, outcome]));
  let failure: Error | null = null;
  const bar = openBar(doable.length, isQuiet);
  try {
    for (let start = 0; start < doable.length; start += BATCH_SIZE) {
      const results = await batch.apply(OPERATOR, change, doable.slice(start, start + BATCH_SIZE));
      for (const { id, outcome } of results) outcomes.set(id, outcome);
      bar?.update(start + results.length);
    }
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
  } finally {
    bar?.stop();
  }
  const tried = posts.flatMap((post) => {
    const outcome = outcomes.get(post.id);
    return outcome === undefined ? [] : [{ ...post, outcome }];
  });
  return { posts: tried, failure };
}

interface ProgressBar {
  readonly update: (done: number) => void;
  readonly stop: () => void;
}

function openBar(total: number, isQuiet: boolean): ProgressBar | null {
  if (isQuiet || !process.stderr.isTTY || total <= BATCH_SIZE) return null;
  const format = '{bar} {value} of {total} posts, {eta_formatted} left';
  const bar = new SingleBar({ format, stream: process.stderr, hideCursor: true, clearOnComplete: true });
  // It hides the cursor, and the shell would be left without one.
  const release = beforeSignalEnds(() => bar.stop());
  bar.start(total, 0);
  return {
    update: (done) => bar.update(done),
    stop() {
      release();
      bar.stop();
    },
  };
}

/**
 * Reports what was done or, in a dry run, would be done, and sets the exit code.
 * @param failure why it broke off
 */
function report(wanted: WantedChange, plan: BatchPlan, failure?: Error): void {
  const { flags } = wanted;
  const isNothing = plan.posts.length === 0 && plan.unknown.length === 0;
  process.stdout.write(
    flags.json
      ? `${JSON.stringify(toRecord(wanted, plan, failure), null, 2)}\n`
      : `${formatOutcome(wanted, plan, failure)}${isNothing ? NO_SUCH_POSTS : ''}`,
  );
  for (const slug of plan.unknown) {
    process.stderr.write(`${describeUnchosen(slug, wanted.change, plan.places.get(slug))}\n`);
  }
  for (const { slug, reason } of refusalsOf(plan)) process.stderr.write(`${printableLine(slug)} ${reason}\n`);
  const left = plan.unknown.length + refusalsOf(plan).length;
  process.exitCode = exitCodeFor(plan.posts.length + plan.unknown.length, left);
}

function formatOutcome({ change, flags, timeZone }: WantedChange, plan: BatchPlan, failure?: Error): string {
  if (flags.dryRun) return `${formatPlan(change, plan, timeZone).trimEnd()} (dry run: nothing was written)\n`;
  const { done, already } = changeWords[change.kind];
  const changed = slugsOf(plan, 'done');
  const time = change.kind === 'schedule' ? ` for ${describeMoment(change.publishAt, timeZone)}` : '';
  return [
    ...changed.map((slug) => `${done}  ${printableLine(slug)}`),
    ...slugsOf(plan, 'unchanged').map((slug) => `${already}  ${printableLine(slug)}`),
    `${changed.length} ${done}${time}${failure === undefined ? '' : ', then it broke off'}`,
    '',
  ].join('\n');
}

function toRecord({ change, flags }: WantedChange, plan: BatchPlan, failure?: Error) {
  return {
    isDryRun: flags.dryRun === true,
    ...(change.kind === 'schedule' ? { publishAt: change.publishAt.toISOString() } : {}),
    changed: slugsOf(plan, 'done'),
    unchanged: slugsOf(plan, 'unchanged'),
    refused: refusalsOf(plan),
    unknown: plan.unknown,
    ...(failure === undefined ? {} : { error: failure.message }),
  };
}

function slugsOf({ posts }: BatchPlan, wanted: 'done' | 'unchanged'): string[] {
  return posts.flatMap(({ slug, outcome }) => (outcome === wanted ? [slug] : []));
}

function refusalsOf({ posts }: BatchPlan): { readonly slug: string; readonly reason: string }[] {
  return posts.flatMap(({ slug, outcome }) => {
    const reason = refusalWords[outcome];
    return reason === null ? [] : [{ slug, reason }];
  });
}
