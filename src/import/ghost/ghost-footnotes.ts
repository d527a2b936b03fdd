const section =
  /(?:<hr class="footnotes-sep">\s*)?<section class="footnotes">\s*<ol class="footnotes-list">([^]*?)<\/ol>\s*<\/section>/;
const start = /<li id="(fn[^"<>]{1,100})" class="footnote-item">/g;
const back = /\s*<a [^<>]{0,200}class="footnote-backref"[^<>]{0,200}>[^<>]{0,20}<\/a>/g;
const place =
  /<sup class="footnote-ref">\s*(?:<a href="#(fn[^"<>]{1,100})"[^<>]{0,200}>[^<>]{0,20}<\/a>|\[(\d{1,5})\])\s*<\/sup>/g;

/** Puts the footnotes of Markdown cards, which stand at the end of the text, where their numbers are. */
export function placeFootnotes(html: string): string {
  const list = html.includes('class="footnotes"') ? section.exec(html) : null;
  if (list === null) return html;
  const [whole, items = ''] = list;
  const notes = readNotes(items);
  const names = [...notes.keys()];
  const used = new Set<string>();
  const text = html.replace(whole, '').replace(place, (written, name?: string, number?: string) => {
    const id = name ?? names[Number(number) - 1] ?? '';
    const note = notes.get(id);
    used.add(id);
    return note === undefined ? written : `<span class="ql-footnote">${note}</span>`;
  });
  // A note to which nothing leads would be gone.
  return notes.size > 0 && names.every((name) => used.has(name)) ? text : html;
}

function readNotes(items: string): Map<string, string> {
  const starts = [...items.matchAll(start)];
  return new Map(
    starts.map((match, index) => {
      const inside = items.slice(match.index + match[0].length, starts[index + 1]?.index ?? items.length);
      const lines = inside
        .replace(back, '')
        .replace(/<\/li>\s*$/, '')
        .replace(/<\/p>\s*<p>/g, '<br>')
        .replace(/^\s*<p>|<\/p>\s*$/g, '');
      return [match[1] ?? '', lines] as const;
    }),
  );
}
