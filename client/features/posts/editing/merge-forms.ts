import { EMPTY_FORM, type PostForm } from '../../../../src/shared/contracts/admin-posts.js';
import { mapFields, specOf, type PostField } from '../../../../src/shared/contracts/post-fields.js';
import { FIELDS, toForm } from './fields.js';
import { joinLines, splitLines, type Line } from './merge-lines.js';
import { mergeProse } from './merge-paragraph.js';
import { mergeLines, type Passage } from './merge-passages.js';
import type { Conflict, Saving } from './saving-state.js';

/** The side that is taken of a contested passage; 'both' has mine first. */
export type Choice = 'mine' | 'theirs' | 'both';

/** The choices so far, by the id of the passage. */
export type Choices = ReadonlyMap<string, Choice>;

/** A passage of a field that somebody changed. */
export interface FieldPassage extends Passage {
  readonly id: string;
  /** False where one value has to be chosen. */
  readonly canBeBoth: boolean;
}

/** A field that was changed since two writers began, and those that say something of its value. */
export interface FieldMerge {
  readonly field: PostField;
  readonly passages: readonly FieldPassage[];
  /** Writes the lines that were taken into the form. */
  readonly write: (lines: readonly Line[]) => Partial<PostForm>;
}

/** The texts of a post as two people have changed them. */
export interface Versions {
  /** As it was when both began. */
  readonly base: PostForm;
  readonly mine: PostForm;
  readonly theirs: PostForm;
}

/** The versions of a conflict. The base is the text of the post when the server was heard last, unless it names another. */
export function toVersions(
  { server, fields, held }: Pick<Saving, 'server' | 'fields' | 'held'>,
  { current, base = server ? toForm(server) : EMPTY_FORM }: Pick<Conflict, 'current' | 'base'>,
): Versions {
  // The server spells some values in another way than they were typed, which is no change.
  const mine = mapFields<PostForm>([...FIELDS], (name) => (fields[name] === held[name] ? base[name] : fields[name]));
  return { base, mine, theirs: toForm(current) };
}

/** The fields that differ from the base, in the order of the form, each with what becomes of its passages. */
export function mergeForms(versions: Versions): FieldMerge[] {
  const fields = FIELDS.filter((field) => specOf(field).describes === undefined);
  return fields
    .map((field) => mergeField(field, versions))
    .filter(({ passages }) => passages.some(({ owner }) => owner !== 'nobody'));
}

/** The contested passages about which nothing was chosen yet, in their order. */
export function findUnchosen(merges: readonly FieldMerge[], choices: Choices): FieldPassage[] {
  const passages = merges.flatMap((merge) => merge.passages);
  return passages.filter(({ owner, id }) => owner === 'contested' && !choices.has(id));
}

/** The merged texts. A contested passage without a choice stays as both have it. */
export function combine({ base }: Versions, merges: readonly FieldMerge[], choices: Choices): PostForm {
  const changes = merges.map(({ passages, write }) =>
    write(passages.flatMap((passage) => takeLines(passage, choices.get(passage.id) ?? 'both'))),
  );
  return Object.assign({ ...base }, ...changes) as PostForm;
}

/** Returns true when the merged texts lack something that only this side has. */
export function isLeftOut(side: 'mine' | 'theirs', merges: readonly FieldMerge[], choices: Choices): boolean {
  const other = side === 'mine' ? 'theirs' : 'mine';
  return merges.some(({ passages }) => passages.some(({ id }) => choices.get(id) === other));
}

function takeLines({ owner, mine, theirs, merged }: Passage, choice: Choice): readonly Line[] {
  if (merged !== undefined) return merged;
  if (owner === 'theirs') return theirs;
  if (owner !== 'contested' || choice === 'mine') return mine;
  return choice === 'theirs' ? theirs : [...mine, ...theirs];
}

function mergeField(field: PostField, versions: Versions): FieldMerge {
  const names = [field, ...FIELDS.filter((name) => specOf(name).describes === field)];
  const split = (toLines: (form: PostForm) => Line[]) =>
    [toLines(versions.base), toLines(versions.mine), toLines(versions.theirs)] as const;
  const [base, mine, theirs] = split((form) => [toWhole(names, form)]);
  const passages = mergeLines(base, mine, theirs);
  const { kind, isProse, limit = Infinity } = specOf(field);
  const [passage] = passages;
  const write = ([line]: readonly Line[]) => JSON.parse(line?.key ?? '{}') as Partial<PostForm>;
  // What only one of them changed is taken to the letter.
  if (kind === 'words' && passage?.owner === 'contested') {
    const words = split((form) =>
      (form[field] ?? '')
        .split(',')
        .map(toWord)
        .filter(({ key }) => key !== ''),
    );
    return {
      field,
      passages: named(field, mergeWords(...words), true),
      write: (lines) => ({ [field]: lines.map(({ text }) => text).join(', ') }),
    };
  }
  if (kind === 'html') {
    const lines = split((form) => splitLines(form[field] ?? ''));
    return {
      field,
      passages: named(field, mergeLines(...lines), true),
      write: (taken) => ({ [field]: joinLines(taken) }),
    };
  }
  const merged = passage?.owner === 'contested' && isProse ? mergeProseOf(field, versions) : null;
  // Two short additions can be too long together.
  if (passage && merged !== null && merged.length <= limit) {
    const line = toWhole([field], { ...versions.mine, [field]: merged });
    return { field, passages: named(field, [{ ...passage, owner: 'both-apart', merged: [line] }], false), write };
  }
  return { field, passages: named(field, passages, false), write };
}

function mergeProseOf(field: PostField, { base, mine, theirs }: Versions): string | null {
  return mergeProse(base[field] ?? '', mine[field] ?? '', theirs[field] ?? '');
}

function named(field: PostField, passages: readonly Passage[], canBeBoth: boolean): FieldPassage[] {
  return passages.map((passage, index) => ({ ...passage, id: `${field}-${index}`, canBeBoth }));
}

/** A field with those that describe it as one line, whose key is their values. */
function toWhole(names: readonly PostField[], form: PostForm): Line {
  const values = names.map((name) => [name, form[name]] as const);
  const text = values
    .map(([, value]) => value)
    .filter(Boolean)
    .join('\n');
  return { key: JSON.stringify(Object.fromEntries(values)), text };
}

function toWord(word: string): Line {
  return { key: word.trim(), text: word.trim() };
}

/** Words have no order that matters: each is there or not, as whoever changed that says. */
function mergeWords(base: readonly Line[], mine: readonly Line[], theirs: readonly Line[]): Passage[] {
  const words = new Map([...base, ...mine, ...theirs].map((word) => [word.key, word]));
  return [...words.values()].map((word) => {
    const find = (lines: readonly Line[]) => (lines.some(({ key }) => key === word.key) ? [word] : []);
    const found = { base: find(base), mine: find(mine), theirs: find(theirs) };
    const isSame = (a: readonly Line[], b: readonly Line[]) => a.length === b.length;
    const isMine = !isSame(found.base, found.mine);
    const isTheirs = !isSame(found.base, found.theirs);
    if (isMine && isTheirs) return { ...found, owner: 'both-alike' };
    if (isMine) return { ...found, owner: 'mine' };
    return { ...found, owner: isTheirs ? 'theirs' : 'nobody' };
  });
}
