import { useId, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { paths } from '../../../src/shared/paths.js';
import { SEARCH_MAX } from '../../../src/shared/limits.js';
import { Icon } from '../../components/icon.js';
import { signs } from '../../components/signs.js';
import { lazyPart } from '../../lib/lazy-part.js';

const LiveResults = lazyPart(async () => (await import('./live-results.js')).LiveResults);

/** The search of the blog: a form that works without scripts, and shows what it finds while somebody types. */
export function SearchForm({ query = '' }: { readonly query?: string }) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const close = () => setTyped(null);

  const handleKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    // 229 stands for the keys that choose the letters of a word: see isComposing, which the admin area alone loads.
    if (event.key !== 'Escape' || event.keyCode === 229 || typed === null) return;
    // The field would be emptied.
    event.preventDefault();
    // From a link among the finds, which is about to go.
    event.currentTarget.querySelector('input')?.focus();
    close();
  };
  const handleBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) close();
  };

  return (
    <form
      className="search"
      role="search"
      action={paths.search()}
      onKeyDown={handleKeyDown}
      onBlur={handleBlur}
      onSubmit={close}
    >
      <label className="visually-hidden" htmlFor={id}>
        Search the blog
      </label>
      <input
        id={id}
        type="search"
        name="q"
        dir="auto"
        required
        maxLength={SEARCH_MAX}
        placeholder="Search the blog"
        autoComplete="off"
        enterKeyHint="search"
        defaultValue={query}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <button className="btn btn-line btn-small" type="submit">
        <Icon shape={signs.search} />
        <span className="search-word">Search</span>
      </button>
      {typed === null || typed.trim() === '' ? null : <LiveResults typed={typed} />}
    </form>
  );
}
