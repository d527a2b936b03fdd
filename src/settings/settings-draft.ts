import { isDeepStrictEqual } from 'node:util';
import type { SettingsReading } from './settings-definition.js';
import type { SettingsContent } from './settings-document.entity.js';

type Values = Readonly<Record<string, unknown>>;

/**
 * Returns the values of a draft that would change something: known ones that are not locked and differ from what is
 * published, or that nobody has said until now.
 */
export function findWaiting({ values, sources, unconfirmed }: SettingsReading, draft: SettingsContent | null): Values {
  const wanted: Values = draft ?? {};
  // In the order of the document: the database has another one.
  const names = Object.keys(values).filter((name) => Object.hasOwn(wanted, name) && sources[name] !== 'locked');
  return pick(
    wanted,
    names.filter((name) => unconfirmed?.includes(name) === true || !isDeepStrictEqual(wanted[name], values[name])),
  );
}

/** Returns the rest of a draft that says something: what another release knows, and what is locked now. */
export function findDormant({ values, sources }: SettingsReading, draft: SettingsContent | null): Values {
  const names = Object.keys(draft ?? {}).filter((name) => !Object.hasOwn(values, name) || sources[name] === 'locked');
  return pick(draft ?? {}, names);
}

/** Returns a draft with further values in it, without those that are as what is published. */
export function addToDraft(reading: SettingsReading, draft: SettingsContent | null, added: Values): SettingsContent {
  const { values } = reading;
  const isTakenBack = (name: string) =>
    isDeepStrictEqual(added[name], values[name]) &&
    Object.hasOwn(draft ?? {}, name) &&
    !isDeepStrictEqual(draft?.[name], values[name]);
  // What goes back to what is published waits no longer; it is not confirmed by that.
  const kept = Object.keys({ ...draft, ...added }).filter((name) => !(Object.hasOwn(added, name) && isTakenBack(name)));
  const next = pick({ ...draft, ...added }, kept);
  return { ...findDormant(reading, next), ...findWaiting(reading, next) };
}

/**
 * Names the values that somebody else changed since a writer read them, to something else than the writer wants.
 * @param seen the values that the writer read, by name
 */
export function findClashes(now: Values, wanted: Values, seen: Values): string[] {
  return Object.keys(wanted).filter(
    (name) => !isDeepStrictEqual(now[name], seen[name]) && !isDeepStrictEqual(now[name], wanted[name]),
  );
}

/** Names the values that one content has otherwise than another, known ones in the order of the document. */
export function findChanged({ values }: SettingsReading, before: Values, after: Values): string[] {
  const names = [...new Set([values, after, before].flatMap((each) => Object.keys(each)))];
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
}

function pick(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}
