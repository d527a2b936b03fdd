/** The content that an element of the clean tree may have directly inside. */
export type ContentModel =
  /** Blocks; loose text is put into paragraphs. */
  | 'document'
  /** Blocks and loose text. */
  | 'flow'
  /** Text and inline elements only. */
  | 'phrasing'
  | 'list'
  | 'table'
  | 'section'
  | 'row'
  | 'descriptions';

/** The block elements that are kept, with what they may hold. */
export const blockModels: ReadonlyMap<string, ContentModel> = new Map([
  ...tags('phrasing', 'p h2 h3 h4 h5 h6 dt caption summary'),
  ...tags('flow', 'blockquote li td th dd figure figcaption details'),
  ...tags('list', 'ul ol'),
  ...tags('table', 'table'),
  ...tags('section', 'thead tbody tfoot'),
  ...tags('row', 'tr'),
  ...tags('descriptions', 'dl'),
]);

/** The element that wraps loose content inside a container of parts. */
export const impliedChild: Partial<Record<ContentModel, string>> = {
  list: 'li',
  table: 'tbody',
  section: 'tr',
  row: 'td',
  descriptions: 'dd',
};

/** Deepest nesting of block elements; whatever is deeper keeps its text and loses its element. */
export const MAX_BLOCK_DEPTH = 40;
/** Levels that a container of parts needs below itself. */
export const innerLevels: Partial<Record<ContentModel, number>> = { table: 6, list: 3, descriptions: 3 };
/** Most inline elements around one piece of text. */
export const MAX_INLINE_DEPTH = 24;
/** Most open elements remembered, including those that leave no trace. */
export const MAX_OPEN_ELEMENTS = 200;

/** Inline elements that are kept, by what they are written as. */
export const inlineTags: ReadonlyMap<string, string> = new Map([
  ...'strong em u s del ins code kbd samp var sub sup mark small abbr cite q a span'
    .split(' ')
    .map((tag) => [tag, tag] as const),
  ['b', 'strong'],
  ['i', 'em'],
  ['strike', 's'],
  ['font', 'span'],
  ['tt', 'code'],
]);

/** Blocks that leave no element behind, only the break before and after their content. */
export const transparentBlocks: ReadonlySet<string> = new Set(
  'div section article main header footer aside nav address center fieldset form hgroup body html'.split(' '),
);

/** Elements that go together with everything inside them. */
export const droppedWithContent: ReadonlySet<string> = new Set(
  (
    'script style svg math noscript template iframe object applet textarea title xmp noembed noframes plaintext ' +
    'select button canvas audio video datalist frameset'
  ).split(' '),
);

/** Tags that cannot belong to a rendered formula, so an unfinished one ends there. */
export const formulaBreakers: ReadonlySet<string> = new Set([
  ...blockModels.keys(),
  ...transparentBlocks,
  'h1',
  'hr',
  'pre',
  'iframe',
]);

export const headingTags: ReadonlySet<string> = new Set('h1 h2 h3 h4 h5 h6'.split(' '));
export const tableTags: ReadonlySet<string> = new Set('table caption thead tbody tfoot tr td th'.split(' '));

function tags(model: ContentModel, names: string): [string, ContentModel][] {
  return names.split(' ').map((name) => [name, model]);
}
