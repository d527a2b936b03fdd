/** Namespace that the documents of Word name on their root. */
const WORD = 'urn:schemas-microsoft-com:office:word';

interface WordItem {
  /** Number of the list in the document. */
  readonly list: string;
  /** 1 at the outermost. */
  readonly level: number;
}

/**
 * Makes lists of Word's paragraphs, whose style names list and level, for documents from the clipboard. Quill has the same,
 * but writes HTML as text, which the page's policy forbids, and into the page, which then loads its pictures.
 */
export function buildWordLists(doc: Document): void {
  if (doc.documentElement.getAttribute('xmlns:w') !== WORD) return;
  // The signs in front of items, drawn as text.
  for (const sign of doc.querySelectorAll('[style*=mso-list]')) {
    if (/\bmso-list:[^;]*ignore/i.test(styleOf(sign))) sign.remove();
  }
  const html = doc.documentElement.innerHTML;
  let open = { list: '', element: doc.createElement('ul') };
  for (const paragraph of doc.querySelectorAll('[style*=mso-list]')) {
    const item = readItem(paragraph);
    if (item === null) continue;
    if (open.list !== item.list || open.element.nextElementSibling !== paragraph) {
      open = { list: item.list, element: doc.createElement('ul') };
      paragraph.before(open.element);
    }
    const entry = doc.createElement('li');
    entry.dataset['list'] = isBulleted(item, html) ? 'bullet' : 'ordered';
    if (item.level > 1) entry.className = `ql-indent-${item.level - 1}`;
    entry.append(...paragraph.childNodes);
    open.element.append(entry);
    paragraph.remove();
  }
}

function styleOf(element: Element): string {
  return element.getAttribute('style') ?? '';
}

/** Word writes `mso-list:l0 level1 lfo1`. */
function readItem(paragraph: Element): WordItem | null {
  const [, value = ''] = /\bmso-list:([^;]*)/i.exec(styleOf(paragraph)) ?? [];
  const list = /\bl(\d+)/i.exec(value)?.[1];
  return list === undefined ? null : { list, level: Number(/\blevel(\d+)/i.exec(value)?.[1] ?? 1) };
}

/** The rules for a level of a list stand in the document's style sheet. */
function isBulleted({ list, level }: WordItem, html: string): boolean {
  const rule = new RegExp(`@list l${list}:level${level}\\s*\\{[^}]*mso-level-number-format:\\s*([\\w-]+)`, 'i');
  return rule.exec(html)?.[1] === 'bullet';
}
