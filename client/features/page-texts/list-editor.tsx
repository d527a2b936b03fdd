import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { MAX_ENTRIES, type ItemFields, type PageField } from '../../../src/shared/contracts/page-texts/fields.js';
import { formatPrice } from '../../../src/shared/contracts/page-texts/prices.js';
import { isRecord } from '../../../src/shared/is-record.js';
import { Button } from '../../components/button.js';
import { Icon } from '../../components/icon.js';
import { signs } from '../../components/signs.js';
import { newEntry } from './new-entry.js';
import { TextField, type Faults } from './text-field.js';

type ListField = Extract<PageField, { readonly kind: 'list' | 'lines' }>;

interface ListEditorProps {
  readonly field: ListField;
  readonly path: string;
  readonly value: unknown;
  readonly faults: Faults;
  readonly onChange: (value: unknown) => void;
}

/** An entry, and a key of its own that stays with it when it moves. */
interface Keyed {
  readonly key: number;
  readonly value: unknown;
}

let lastKey = 0;

/** @param former entries whose keys go on at their places: whoever is in one of them stays there */
const toKeyed = (values: readonly unknown[], former: readonly Keyed[] = []): readonly Keyed[] =>
  values.map((value, index) => {
    const known = former[index]?.key;
    if (known === undefined) lastKey += 1;
    return { key: known ?? lastKey, value };
  });

/** Entries that are added, removed and moved, by buttons as by Alt and the arrow keys. */
export function ListEditor({ field, path, value, faults, onChange }: ListEditorProps) {
  const id = useId();
  const given = Array.isArray(value) ? (value as readonly unknown[]) : [];
  const [kept, setKept] = useState(() => toKeyed(given));
  const [said, setSaid] = useState('');
  const { focusOn, place } = useFocusAfter();
  // They were saved, are what they were before they were typed in, or somebody else changed them.
  const isKept = kept.length === given.length && kept.every((entry, index) => entry.value === given[index]);
  const entries = isKept ? kept : toKeyed(given, kept);
  if (!isKept) setKept(entries);
  const noun = field.kind === 'list' ? field.entry : 'line';
  const max = field.kind === 'list' ? (field.max ?? MAX_ENTRIES) : MAX_ENTRIES;

  const change = (next: readonly Keyed[]) => {
    setKept(next);
    onChange(next.map((entry) => entry.value));
  };
  const move = (from: number, to: number) => {
    const moved = entries[from];
    if (moved === undefined || to < 0 || to >= entries.length) return;
    const others = entries.filter((_, index) => index !== from);
    change([...others.slice(0, to), moved, ...others.slice(to)]);
    setSaid(`The ${noun} is number ${to + 1} of ${entries.length} now.`);
    focusOn(moved.key);
  };
  const remove = (at: number) => {
    const rest = entries.filter((_, index) => index !== at);
    change(rest);
    setSaid(`Number ${at + 1} is removed. ${rest.length} left.`);
    focusOn(rest[Math.min(at, rest.length - 1)]?.key ?? 'add');
  };
  const add = () => {
    const [added] = toKeyed([newEntry(field)]);
    if (added === undefined) return;
    change([...entries, added]);
    setSaid(`A ${noun} was added at the end.`);
    focusOn(added.key);
  };

  const handleKey = (event: KeyboardEvent, index: number) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    // There these keys open the choices, or move the cursor by a paragraph.
    if ((event.target as Element).matches('select, textarea')) return;
    event.preventDefault();
    event.stopPropagation();
    move(index, event.key === 'ArrowUp' ? index - 1 : index + 1);
  };

  const error = faults.get(path);
  return (
    <fieldset
      className="list-editor"
      ref={place}
      tabIndex={-1}
      data-path={path}
      aria-describedby={field.hint ? `${id}-hint` : undefined}
    >
      <legend>
        {field.label} <span className="quiet numeric">{entries.length}</span>
      </legend>
      {field.hint ? (
        <p className="field-hint" id={`${id}-hint`}>
          {field.hint}
        </p>
      ) : null}
      {error ? <p className="field-error">{error}</p> : null}
      <ol role="list">
        {entries.map((entry, index) => (
          <li key={entry.key} data-key={entry.key} onKeyDown={(event) => handleKey(event, index)}>
            <Entry
              field={field}
              path={`${path}[${index}]`}
              entry={entry.value}
              number={index + 1}
              noun={noun}
              faults={faults}
              onChange={(next) => change(entries.map((each) => (each === entry ? { ...each, value: next } : each)))}
            />
            <div className="entry-actions">
              <Button kind="line" isSmall aria-disabled={index === 0} onClick={() => move(index, index - 1)}>
                Up
                <EntryName noun={noun} number={index + 1} />
              </Button>
              <Button
                kind="line"
                isSmall
                aria-disabled={index === entries.length - 1}
                onClick={() => move(index, index + 1)}
              >
                Down
                <EntryName noun={noun} number={index + 1} />
              </Button>
              <Button kind="line" isSmall className="btn-danger" onClick={() => remove(index)}>
                Remove
                <EntryName noun={noun} number={index + 1} />
              </Button>
            </div>
          </li>
        ))}
      </ol>
      <Button
        kind="line"
        isSmall
        data-key="add"
        aria-disabled={entries.length >= max}
        onClick={() => entries.length < max && add()}
      >
        Add a {noun}
      </Button>
      <p role="status" className="visually-hidden">
        {said}
      </p>
    </fieldset>
  );
}

/** Says to screen readers which entry a button is for, in one text: see {@link Entry}. */
function EntryName({ noun, number }: { readonly noun: string; readonly number: number }) {
  return <span className="visually-hidden">{`: ${noun} ${number}`}</span>;
}

/** Moves the focus to an entry, or to the button that adds one, once the list is drawn anew. */
function useFocusAfter() {
  const place = useRef<HTMLFieldSetElement>(null);
  const [wanted, setWanted] = useState<{ readonly key: number | 'add' } | null>(null);
  useEffect(() => {
    if (wanted === null) return;
    const found = place.current?.querySelector<HTMLElement>(`[data-key="${wanted.key}"]`);
    const control = found?.matches('button')
      ? found
      : found?.querySelector<HTMLElement>('summary, input, textarea, select');
    control?.focus();
  }, [wanted]);
  return { place, focusOn: (key: number | 'add') => setWanted({ key }) };
}

interface EntryProps {
  readonly field: ListField;
  readonly path: string;
  readonly entry: unknown;
  readonly number: number;
  readonly noun: string;
  readonly faults: Faults;
  readonly onChange: (value: unknown) => void;
}

/** The fields of an entry, folded away below its first words: a list of thirty is looked over at once. */
function Entry({ field, path, entry, number, noun, faults, onChange }: EntryProps) {
  // One that was added, or is wrong, has something to be filled in.
  const [isOpen, setIsOpen] = useState(() => titleOf(entry) === '');
  if (field.kind === 'lines') {
    const line = { kind: 'line', label: `${field.label}, ${noun} ${number}`, limit: field.limit } as const;
    return <TextField field={line} path={path} value={entry} faults={faults} onChange={onChange} />;
  }
  const values = isRecord(entry) ? entry : {};
  const isWrong = [...faults.keys()].some((fault) => fault.startsWith(path));
  return (
    <details className="entry" open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <span>
          {/* An element: beside others, React could not write a text anew where a browser translates the page. */}
          <span>{`${number}. ${titleOf(entry) || `New ${noun}`}`}</span>
          <span className="quiet">{priceOf(field.of, values)}</span>
          {isWrong ? <span className="field-error"> needs another look</span> : null}
        </span>
        <Icon shape={signs.chevron} />
      </summary>
      <div className="entry-fields">
        {Object.entries(field.of).map(([name, own]) => (
          <TextField
            key={name}
            field={own}
            path={`${path}.${name}`}
            value={values[name]}
            faults={faults}
            onChange={(next) => onChange({ ...values, [name]: next })}
          />
        ))}
      </div>
    </details>
  );
}

/** The price of an entry, which is what most people come for; nothing where it has none. */
function priceOf(fields: ItemFields, values: Readonly<Record<string, unknown>>): string {
  const price = Object.entries(fields).find(([, { kind }]) => kind === 'price')?.[0];
  const value = price === undefined ? undefined : values[price];
  return typeof value === 'number' ? ` · ${formatPrice(value)}` : '';
}

/** The first text of an entry that is no choice. */
function titleOf(entry: unknown): string {
  if (!isRecord(entry)) return '';
  const names = ['title', 'name', 'doubt', 'text', 'strong', 'term', 'label', 'type'];
  const found = names.map((name) => entry[name]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : '';
}
