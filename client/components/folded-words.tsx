interface FoldedWordsProps {
  readonly text: string;
  /** The look of the words. */
  readonly className: string;
}

/** Longer texts are folded. */
const SHORT = 240;

/** A text that somebody wrote: as it is when it is short, and folded away below its first words otherwise. */
export function FoldedWords({ text, className }: FoldedWordsProps) {
  const words = (
    <p className={className} dir="auto">
      {text}
    </p>
  );
  if (text.length <= SHORT && text.split('\n').length <= 4) return words;
  return (
    <details className="folded-words">
      <summary dir="auto">{`${begin(text)}…`}</summary>
      {words}
    </details>
  );
}

/** The first words of a text, without half of a sign at their end. */
function begin(text: string): string {
  const signs = Array.from(text.slice(0, SHORT)).slice(0, SHORT / 2);
  return signs.join('').replace(/\s+/g, ' ').trim();
}
