import type { RedirectInput, RedirectOrigin } from '../shared/contracts/redirects.js';
import { REDIRECT_HOPS_MAX } from '../shared/limits.js';
import { paths } from '../shared/paths.js';
import { AddressRefusedError, pathOfTarget, toPath } from './redirect-address.js';
import { firstPart, isPattern, matchPattern, Patterns, sampleOf, startsOpen } from './redirect-patterns.js';

/** A redirect, and where it leads an address that it is about. */
interface Step {
  readonly from: string;
  readonly to: string;
}

/** A redirect as it is known, and who recorded it: only what operators write may be a pattern. */
export type KnownRedirect = RedirectInput & { readonly origin: RedirectOrigin };

/** Redirects of one address and patterns, as they lead on to each other. */
export class RedirectWays {
  private readonly known = new Map<string, KnownRedirect>();
  private readonly patterns = new Patterns();
  /** By the first part of what redirects lead to: what a further pattern could close a circle with. */
  private readonly steps = new Map<string, Map<string, Step>>();

  constructor(redirects: readonly KnownRedirect[]) {
    for (const redirect of redirects) this.put(redirect);
  }

  /**
   * Adds a redirect in the place of what was known for its path, unless it would lead addresses nowhere. Circles are looked for
   * with one address of each redirect.
   * @returns why it was not added; null if it was
   */
  add(redirect: KnownRedirect): string | null {
    const former = this.known.get(redirect.path);
    this.put(redirect);
    const problem = this.problemOf(redirect);
    if (problem === null) return null;
    this.remove(redirect);
    if (former !== undefined) this.put(former);
    return problem;
  }

  private put(redirect: KnownRedirect): void {
    this.remove(this.known.get(redirect.path) ?? redirect);
    this.known.set(redirect.path, redirect);
    if (isMeant(redirect)) this.patterns.add(redirect);
    const step = toStep(redirect);
    if (step === null) return;
    const part = firstPart(step.to);
    this.steps.set(part, (this.steps.get(part) ?? new Map<string, Step>()).set(redirect.path, step));
  }

  private remove(redirect: KnownRedirect): void {
    this.known.delete(redirect.path);
    this.patterns.remove(redirect.path);
    const step = toStep(redirect);
    if (step !== null) this.steps.get(firstPart(step.to))?.delete(redirect.path);
  }

  private problemOf(redirect: KnownRedirect): string | null {
    const own = toStep(redirect);
    const way = own === null ? [] : this.wayOf(own);
    if (isCircle(way)) return toCircleProblem(way);
    if (way.length > REDIRECT_HOPS_MAX + 1) return `it would lead on more than ${REDIRECT_HOPS_MAX} times: ${way[0]}`;
    if (!isMeant(redirect)) return null;
    // What is far already is no fault of a pattern that says something of its end.
    const circle = this.stepsTo(redirect)
      .map((step) => this.wayOf(step))
      .find(isCircle);
    return circle === undefined ? null : toCircleProblem(circle);
  }

  /** The steps to addresses that a pattern is about. */
  private stepsTo(pattern: KnownRedirect): Step[] {
    const part = firstPart(pattern.path);
    const near = startsOpen(part) ? [...this.steps.values()] : [this.steps.get(part) ?? new Map<string, Step>()];
    const alone = new Patterns([pattern]);
    return near.flatMap((steps) => [...steps.values()].filter(({ to }) => alone.find(to) !== null));
  }

  /** The addresses that follow each other: at most one more than may be, and none twice but the last of a circle. */
  private wayOf({ from, to }: Step): string[] {
    const way = [from];
    let here: string | null = to;
    while (here !== null && !isOfSite(here) && !isCircle(way) && way.length <= REDIRECT_HOPS_MAX + 1) {
      way.push(here);
      here = this.next(here);
    }
    return way;
  }

  private next(here: string): string | null {
    const fixed = this.known.get(here);
    const target = fixed !== undefined && !isMeant(fixed) ? fixed.target : this.patterns.find(here)?.target;
    return target === undefined ? null : pathOfTarget(target);
  }
}

function isMeant({ path, origin }: KnownRedirect): boolean {
  return origin === 'operator' && isPattern(path);
}

function isCircle(way: readonly string[]): boolean {
  return way.indexOf(way.at(-1) ?? '') < way.length - 1;
}

function toCircleProblem(way: readonly string[]): string {
  return `it would lead in a circle: ${way.join(', ')}`;
}

/** The step of a redirect to another address of this site; null if it leads elsewhere, or leaves addresses where they are. */
function toStep(redirect: KnownRedirect): Step | null {
  const { path } = redirect;
  const from = isMeant(redirect) ? sampleOf(path) : path;
  const target = isMeant(redirect) ? matchPattern(redirect, from) : redirect.target;
  const to = target === null ? null : pathOfTarget(target);
  return to === null || to === from ? null : { from, to };
}

/** Pages come before redirects, and there may be a post at any address below the blog. */
function isOfSite(path: string): boolean {
  if (path.startsWith(`${paths.blogs}/`)) return true;
  try {
    return toPath(path) !== path;
  } catch (error) {
    if (error instanceof AddressRefusedError) return true;
    throw error;
  }
}
