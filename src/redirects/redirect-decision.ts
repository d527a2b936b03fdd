import type { EntityManager } from '@mikro-orm/postgresql';
import type { RedirectInput, RedirectOrigin, RedirectResult } from '../shared/contracts/redirects.js';
import { REDIRECT_HOPS_MAX } from '../shared/limits.js';
import { AddressRefusedError, pathOfTarget, toPath, toPresentTarget, toTarget } from './redirect-address.js';
import { RedirectWays, type KnownRedirect } from './redirect-circles.js';
import { isPattern, PATTERNS, problemOfLiterals, problemOfPattern, problemOfSigns } from './redirect-patterns.js';

interface DecisionContext {
  /** The recorder: an import leaves the redirects of an operator alone. */
  readonly origin: RedirectOrigin;
  readonly siteUrl: string;
}

interface Known {
  readonly target: string;
  readonly origin: RedirectOrigin;
}

type KnownRedirects = Map<string, Known>;

/** Decides about each redirect as if those before it had been recorded. Writes nothing. */
export async function decideRedirects(
  em: EntityManager,
  items: readonly RedirectInput[],
  context: DecisionContext,
): Promise<RedirectResult[]> {
  const read = items.map((item) => readItem(item, context));
  const known = await loadKnown(em, read, context);
  const ways = context.origin === 'operator' ? await loadWays(em, read, context) : null;
  const claimed = new Map<string, string>();
  return read.map((item, index) => {
    if (item.outcome === 'refused') return item;
    const { path, target } = item;
    const earlier = claimed.get(path) ?? target;
    if (earlier !== target) return { ...item, outcome: 'refused', reason: `it was said before to lead to ${earlier}` };
    const literal = context.origin === 'operator' ? problemOfLiterals(items[index]?.path ?? '') : null;
    const result = decide({ item, literal }, known, context.origin, ways);
    if (result.outcome === 'refused') return result;
    claimed.set(path, target);
    if (result.outcome === 'created' || result.outcome === 'changed')
      known.set(path, { target, origin: context.origin });
    return result;
  });
}

function readItem(item: RedirectInput, { origin, siteUrl }: DecisionContext): RedirectResult {
  try {
    const problem = origin === 'operator' ? (problemOfSigns(item.path) ?? problemOfHost(item.path, siteUrl)) : null;
    if (problem !== null) throw new AddressRefusedError(problem);
    return { path: toPath(item.path), target: toTarget(item.target, siteUrl), outcome: 'created', reason: null };
  } catch (error) {
    if (!(error instanceof AddressRefusedError)) throw error;
    return { path: item.path, target: item.target, outcome: 'refused', reason: error.message };
  }
}

/** The host of an old address is left out; what is about all of a host would be about all of this site instead. */
function problemOfHost(path: string, siteUrl: string): string | null {
  const [, host] = /^\s*https?:\/\/([^/?#]*)\/*\*\s*$/i.exec(path) ?? [];
  return host === undefined || host.toLowerCase() === new URL(siteUrl).host
    ? null
    : `it is about everything at ${host}, whose redirects are its own; what is not found here is written as /*`;
}

function decide(
  { item, literal }: { readonly item: RedirectResult; readonly literal: string | null },
  known: KnownRedirects,
  origin: RedirectOrigin,
  ways: RedirectWays | null,
): RedirectResult {
  const { path, target } = item;
  const current = known.get(path);
  if (pathOfTarget(target) === path || (origin === 'operator' && leadsToItself(item))) {
    return { ...item, outcome: 'needless', reason: 'the path is its own target' };
  }
  // What looks like a pattern is one of an operator's alone.
  const becomesPattern = origin === 'operator' && current?.origin !== 'operator' && literal === null && isPattern(path);
  if (current?.target === target && !becomesPattern) return { ...item, outcome: 'unchanged' };
  if (origin !== 'operator' && current?.origin === 'operator') {
    return { ...item, outcome: 'needless', reason: `an operator lets it lead to ${current.target}` };
  }
  // Only operators write patterns: addresses of posts mean what they say.
  const problem =
    literal ??
    (origin === 'operator' ? problemOfPattern(item) : null) ??
    problemOfChain(path, target, known) ??
    ways?.add({ path, target, origin }) ??
    null;
  if (problem !== null) return { ...item, outcome: 'refused', reason: problem };
  return { ...item, outcome: current === undefined ? 'created' : 'changed' };
}

/** A pattern that leaves every address of its kind where it is, like that of another host's file for this one. */
function leadsToItself({ path, target }: RedirectResult): boolean {
  return isPattern(path) && pathOfTarget(target)?.replace(/(?<=\/):splat$/, '*') === path;
}

function problemOfChain(path: string, target: string, known: KnownRedirects): string | null {
  let next = pathOfTarget(target);
  for (let hop = 0; next !== null; hop += 1) {
    if (next === path) return 'it would lead in a circle';
    if (hop === REDIRECT_HOPS_MAX) return `it would lead on more than ${REDIRECT_HOPS_MAX} times`;
    const redirect = known.get(next);
    const led = redirect === undefined ? null : pathOfTarget(redirect.target);
    // One that leads to itself since the site has another address says nothing.
    next = led === next ? null : led;
  }
  return null;
}

/** The redirects of these paths, and all that their targets lead on to. */
async function loadKnown(
  em: EntityManager,
  items: readonly RedirectResult[],
  { siteUrl }: DecisionContext,
): Promise<KnownRedirects> {
  const known: KnownRedirects = new Map();
  const asked = new Set<string>();
  const usable = items.filter(({ reason }) => reason === null);
  let wanted = usable.flatMap(({ path, target }) => [path, pathOfTarget(target) ?? path]);
  for (let hop = 0; hop <= REDIRECT_HOPS_MAX + 1; hop += 1) {
    const paths = [...new Set(wanted)].filter((path) => !asked.has(path));
    if (paths.length === 0) break;
    for (const path of paths) asked.add(path);
    const rows = await em.execute<({ readonly path: string } & Known)[]>(
      `select path, target, origin from redirects where path in (select jsonb_array_elements_text(?::jsonb))`,
      [JSON.stringify(paths)],
    );
    const present = rows.map((row) => ({ ...row, target: toPresentTarget(row.target, siteUrl) }));
    for (const { path, target, origin } of present) known.set(path, { target, origin });
    wanted = present.flatMap(({ target }) => pathOfTarget(target) ?? []);
  }
  return known;
}

/** How everything leads on, where that takes patterns; null where no pattern is known. */
async function loadWays(
  em: EntityManager,
  items: readonly RedirectResult[],
  { siteUrl }: DecisionContext,
): Promise<RedirectWays | null> {
  const [known] = await em.execute<{ is_known: boolean }[]>(
    `select exists (select from redirects where ${PATTERNS}) as is_known`,
  );
  if (known?.is_known !== true && !items.some(({ path, reason }) => reason === null && isPattern(path))) return null;
  const rows = await em.execute<KnownRedirect[]>('select path, target, origin from redirects');
  const present = rows.map((row) => ({ ...row, target: toPresentTarget(row.target, siteUrl) }));
  return new RedirectWays(present.filter(({ path, target }) => pathOfTarget(target) !== path));
}
