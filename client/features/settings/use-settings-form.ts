import { useEffect, useState } from 'react';
import type { SettingSource, SettingsView } from '../../../src/shared/contracts/settings.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { isSameValue } from './settings-kind.js';

/** A value that was typed, and the one that its writer began with. */
interface Typed {
  readonly value: unknown;
  readonly seen: unknown;
  /** True where somebody said that what nobody had said is right as it is. */
  readonly isConfirmed?: boolean;
}

type TypedValues = Readonly<Record<string, Typed>>;

/** A form over a document: what is typed, over what waits, over what is published. */
export interface SettingsForm {
  readonly view: SettingsView;
  /** Everything that the form shows, by name. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Names of values that are not saved. */
  readonly typed: readonly string[];
  /** Names of values that differ from what pages show. */
  readonly changed: readonly string[];
  /** Problems by name. */
  readonly problems: Readonly<Record<string, string>>;
  sourceOf(name: string): SettingSource;
  set(name: string, value: unknown): void;
  /** Says what nobody has said as it is, or takes that back before it is saved. */
  confirm(name: string): void;
  /** True for a value that waits to be said as it is. */
  isConfirmed(name: string): boolean;
  /** True for a value that nobody has said, and that is not typed otherwise. */
  isAsItCame(name: string): boolean;
  tell(problems: Readonly<Record<string, string>>): void;
  /** Returns the values to be saved, with those that their writer began with. */
  toInput(): { readonly values: Record<string, unknown>; readonly seen: Record<string, unknown> };
  /** Returns everything that was typed, also what is no change. */
  toTyped(): Readonly<Record<string, unknown>>;
  /** Forgets what was typed, where it is still as it was handed in. */
  forget(handedIn?: Readonly<Record<string, unknown>>): void;
  /** Goes on from what somebody else has written, keeping what was typed. */
  takeAsSeen(name: string, value: unknown): void;
}

/**
 * Keeps what is typed in the tab for whoever typed it: leaving the screen or loading it again loses nothing, and others
 * who sign in there do not see it.
 */
export function useSettingsForm(document: string, view: SettingsView): SettingsForm {
  const key = `settings-${useAdminApi().person.userId}-${document}`;
  const [typed, setTyped] = useState<TypedValues>(() => read(key));
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  useEffect(() => keep(key, typed), [key, typed]);
  const now = { ...view.values, ...view.draft };
  // Somebody else may have written, or locked, the same.
  const open = Object.entries(typed).filter(([name, { value, isConfirmed }]) => {
    if (!(name in now) || view.sources[name] === 'locked') return false;
    if (!isSameValue(value, now[name])) return true;
    return isConfirmed === true && view.unconfirmed.includes(name) && !Object.hasOwn(view.draft ?? {}, name);
  });
  const values = { ...now, ...Object.fromEntries(open.map(([name, { value }]) => [name, value])) };
  const openNames = open.map(([name]) => name);
  const waiting = [
    ...Object.keys(view.draft ?? {}).filter((name) => !openNames.includes(name)),
    ...open.filter(([, { isConfirmed }]) => isConfirmed === true).map(([name]) => name),
  ];
  const isAsItCame = (name: string) => view.unconfirmed.includes(name) && isSameValue(values[name], view.values[name]);
  const isConfirmed = (name: string) => isAsItCame(name) && waiting.includes(name);
  return {
    view,
    values,
    typed: openNames,
    changed: Object.keys(values).filter((name) => !isSameValue(values[name], view.values[name]) || isConfirmed(name)),
    problems,
    isConfirmed,
    isAsItCame,
    confirm: (name) =>
      setTyped(({ [name]: former, ...others }) =>
        former?.isConfirmed === true
          ? others
          : { ...others, [name]: { value: now[name], seen: now[name], isConfirmed: true } },
      ),
    sourceOf: (name) => view.sources[name] ?? 'fallback',
    set: (name, value) => {
      // What its writer began with may be nothing, which is not to become what somebody else has said since.
      const begin = (former: Typed | undefined) => (former === undefined ? now[name] : former.seen);
      setTyped((former) => ({ ...former, [name]: { value, seen: begin(former[name]) } }));
      setProblems((all) => withoutThoseOf(name, all));
    },
    tell: setProblems,
    toInput: () => ({
      values: Object.fromEntries(open.map(([name, { value }]) => [name, value])),
      seen: Object.fromEntries(open.map(([name, { seen }]) => [name, seen])),
    }),
    toTyped: () => Object.fromEntries(Object.entries(typed).map(([name, { value }]) => [name, value])),
    forget: (handedIn) =>
      setTyped((former) =>
        handedIn === undefined
          ? {}
          : Object.fromEntries(
              Object.entries(former).filter(
                ([name, { value }]) => !(name in handedIn) || !isSameValue(value, handedIn[name]),
              ),
            ),
      ),
    takeAsSeen: (name, seen) =>
      setTyped((former) => (former[name] ? { ...former, [name]: { ...former[name], seen } } : former)),
  };
}

/** Leaves out the problems with a value, and with parts of it such as `pricing.plans[1].price`. */
function withoutThoseOf(name: string, problems: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const isOf = (path: string) => path === name || path.startsWith(`${name}[`) || path.startsWith(`${name}.`);
  return Object.fromEntries(Object.entries(problems).filter(([path]) => !isOf(path)));
}

function keep(key: string, typed: TypedValues): void {
  try {
    if (Object.keys(typed).length === 0) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(typed));
  } catch {
    // The browser keeps nothing: then the form alone has it.
  }
}

function read(key: string): TypedValues {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as TypedValues;
  } catch {
    return {};
  }
}
