/** Longer parts of a heading would not fit on a line of a phone. */
const LINE = 30;

/** A heading of two halves around a dash, each on a line of its own where there is no room for both. */
export function Tagline({ text }: { readonly text: string }) {
  const [, first = '', second = ''] = /^(.+ -) (.+)$/.exec(text) ?? [];
  if (first === '' || first.length > LINE || second.length > LINE) return text;
  return (
    <>
      <span className="whole">{first}</span> <span className="whole">{second}</span>
    </>
  );
}
