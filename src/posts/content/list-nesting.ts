import {
  childElements,
  createElement,
  heightOf,
  isBlank,
  type Attribute,
  type MarkupElement,
  type MarkupNode,
} from './markup-tree.js';

type ListTag = 'ul' | 'ol';

interface OpenList {
  readonly list: MarkupElement;
  lastItem: MarkupElement;
}

/**
 * The editor writes every list as one flat `<ol>` whose items say what they are (`data-list`) and how deep they are
 * (`ql-indent-N`). This gives the lists a reader's browser understands: `<ul>` and `<ol>`, nested. Ticked and unticked
 * items stay marked with `data-list`. A list that is already in that form comes back as it is.
 * @param levelsLeft how much deeper the tree may get below the list
 */
export function nestLists(list: MarkupElement, levelsLeft: number): MarkupElement[] {
  const items = childElements(list);
  const isFlat = items.some((item) => kindOf(item) !== undefined || indentOf(item) > 0);
  if (!isFlat) return [list];
  const results: MarkupElement[] = [];
  const open: OpenList[] = [];
  for (const item of items) {
    const level = Math.min(indentOf(item), open.length, Math.max(0, Math.floor((levelsLeft - heightOf(item)) / 2)));
    open.length = Math.min(open.length, level + 1);
    addItem(item, tagFor(item, list), level, open, results, list);
  }
  return results;
}

function addItem(
  item: MarkupElement,
  tag: ListTag,
  level: number,
  open: OpenList[],
  results: MarkupElement[],
  source: MarkupElement,
): void {
  item.attributes = item.attributes.flatMap(withoutListMarks);
  const current = open[level];
  if (current?.list.tag === tag) {
    current.list.children.push(item);
    current.lastItem = item;
    return;
  }
  const list = createElement(tag, level === 0 && results.length === 0 && tag === source.tag ? source.attributes : []);
  list.children.push(item);
  open[level] = { list, lastItem: item };
  const parent = open[level - 1];
  if (parent === undefined) results.push(list);
  else appendList(parent.lastItem, list);
}

function appendList(item: MarkupElement, list: MarkupElement): void {
  // Blanks before a nested list mean nothing, and would be read differently the next time.
  while (isBlankText(item.children.at(-1))) item.children.pop();
  item.children.push(list);
}

function isBlankText(node: MarkupNode | undefined): boolean {
  return typeof node === 'string' && isBlank(node);
}

function tagFor(item: MarkupElement, source: MarkupElement): ListTag {
  const kind = kindOf(item);
  if (kind === undefined) return source.tag === 'ol' ? 'ol' : 'ul';
  return kind === 'ordered' ? 'ol' : 'ul';
}

function kindOf(item: MarkupElement): string | undefined {
  return item.attributes.find(([name]) => name === 'data-list')?.[1];
}

function indentOf(item: MarkupElement): number {
  const classes = item.attributes.find(([name]) => name === 'class')?.[1] ?? '';
  return Number(/\bql-indent-(\d)/.exec(classes)?.[1] ?? 0);
}

function withoutListMarks([name, value]: Attribute): Attribute[] {
  if (name === 'data-list') return /checked$/.test(value) ? [[name, value]] : [];
  if (name !== 'class') return [[name, value]];
  const classes = value.split(' ').filter((className) => !className.startsWith('ql-indent-'));
  return classes.length > 0 ? [[name, classes.join(' ')]] : [];
}
