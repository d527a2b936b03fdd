import { useEffect, useState, type KeyboardEvent } from 'react';
import { isComposing } from '../lib/is-composing.js';

/** How long to wait for the next key before searching. */
const TYPING_PAUSE_MS = 300;

interface SearchFieldProps {
  readonly label: string;
  /** Examples of finds; the label unless told otherwise. */
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly value: string;
  /** Hears of what was typed, trimmed, after a pause or at once with Enter. */
  readonly onSearch: (text: string) => void;
}

/** Searches while somebody types. What is typed stays when the answer comes, and follows the address otherwise. */
export function SearchField({ label, placeholder = label, maxLength = 200, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const [sent, setSent] = useState<string | null>(null);
  if (value !== known) {
    setKnown(value);
    setSent(null);
    // Somebody went back, or followed a link. What was searched from here must not overwrite what is typed since.
    if (value !== sent) setText(value);
  }

  useEffect(() => {
    const wanted = text.trim();
    if (wanted === known) return;
    const timer = setTimeout(() => {
      setSent(wanted);
      onSearch(wanted);
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, known, onSearch]);

  // No form of its own: the field may stand in a dialog of a form, which Enter must not send.
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || isComposing(event)) return;
    event.preventDefault();
    setSent(text.trim());
    onSearch(text.trim());
  };

  return (
    <label className="filter-search">
      <span className="visually-hidden">{label}</span>
      <input
        type="search"
        placeholder={placeholder}
        maxLength={maxLength}
        autoCapitalize="none"
        enterKeyHint="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={handleKeyDown}
      />
    </label>
  );
}
