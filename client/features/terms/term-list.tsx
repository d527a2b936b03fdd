import { useId, useState, type SubmitEvent, type SyntheticEvent } from 'react';
import type { Term, TermKind } from '../../../src/shared/contracts/terms.js';
import { paths } from '../../../src/shared/paths.js';
import { Button } from '../../components/button.js';
import { InputField } from '../../components/field.js';
import { countPosts, describeRenaming, kindWords } from '../../content/terms.js';
import { isComposing } from '../../lib/is-composing.js';
import type { useRenaming } from './use-terms.js';

interface TermListProps {
  readonly kind: TermKind;
  readonly terms: readonly Term[];
  readonly renaming: Pick<ReturnType<typeof useRenaming>, 'rename' | 'isBusy'>;
}

/** The terms of one kind. */
export function TermList({ kind, terms, renaming }: TermListProps) {
  const id = useId();
  const [renamed, setRenamed] = useState<string | null>(null);
  const { title, none } = kindWords[kind];
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        {title} <span className="quiet numeric">{terms.length}</span>
      </h2>
      {terms.length === 0 ? <p className="list-note">{none}</p> : null}
      <ul role="list" className="term-rows">
        {terms.map((term) => (
          <li key={term.name} className="term-row">
            <TermLine kind={kind} term={term} onRename={() => setRenamed(renamed === term.name ? null : term.name)} />
            {renamed === term.name ? (
              <RenameForm
                kind={kind}
                term={term}
                terms={terms}
                renaming={renaming}
                // Another one may be open by then.
                onClose={() => setRenamed((open) => (open === term.name ? null : open))}
              />
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface TermLineProps {
  readonly kind: TermKind;
  readonly term: Term;
  readonly onRename: () => void;
}

function TermLine({ kind, term: { name, count }, onRename }: TermLineProps) {
  return (
    <div className="term-line">
      <a href={`${paths.admin.blogs}?${new URLSearchParams({ [kind]: name }).toString()}`}>{name}</a>
      <span className="quiet numeric">{countPosts(count)}</span>
      <Button kind="line" isSmall className="btn-quiet" onClick={onRename}>
        Rename<span className="visually-hidden"> {name}</span>
      </Button>
    </div>
  );
}

interface RenameFormProps extends Omit<TermListProps, 'kind'> {
  readonly kind: TermKind;
  readonly term: Term;
  readonly onClose: () => void;
}

/** Asks for the new name, and says what it will do before it does. */
function RenameForm({ kind, term, terms, renaming, onClose }: RenameFormProps) {
  const listId = useId();
  const [name, setName] = useState(term.name);
  const others = terms.filter((other) => other.name !== term.name);
  const isMerging = others.some((other) => other.name === name.normalize('NFC').trim());

  const handleSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (renaming.isBusy) return;
    if (await renaming.rename({ kind, from: term.name, to: name, may_merge: isMerging })) onClose();
  };

  const cancel = ({ currentTarget }: SyntheticEvent) => {
    // The form goes, and the button that opened it stays.
    currentTarget.closest('li')?.querySelector('button')?.focus();
    onClose();
  };

  return (
    <form className="term-form" onSubmit={(event) => void handleSubmit(event)}>
      <InputField
        label={`New name of “${term.name}”`}
        hint={describeRenaming(kind, term, name, others)}
        value={name}
        list={listId}
        autoFocus
        required
        onChange={({ target }) => setName(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !isComposing(event)) cancel(event);
        }}
      />
      <datalist id={listId}>
        {others.map((other) => (
          <option key={other.name} value={other.name} />
        ))}
      </datalist>
      <div className="row">
        <Button type="submit" isSmall aria-disabled={renaming.isBusy}>
          {isMerging ? 'Merge' : 'Rename'}
        </Button>
        <Button kind="line" isSmall onClick={cancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
