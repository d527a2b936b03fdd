/** When an entry is shown: some say what a company may not (yet) be able to claim, and what it may not have. */
export const shown = {
  kind: 'choice',
  label: 'Shown',
  options: {
    always: 'Always',
    around_the_clock: 'While the company claims 24/7',
    not_around_the_clock: 'While the company does not claim 24/7',
    founded: 'While the company claims its founding date',
    clients: 'While the company claims its number of clients',
    contact_person: 'While a contact person is set',
  },
} as const;

/** A choice of {@link shown}. */
export type Shown = keyof (typeof shown)['options'];

export const glyph = { kind: 'glyph', label: 'Drawing' } as const;

/** The fields that every page has, with what it says at first. */
export const headOf = (title: string, description: string) =>
  ({
    title: { kind: 'line', label: 'Heading of the page', limit: 80, fallback: title },
    description: {
      kind: 'text',
      label: 'Description for search engines',
      limit: 320,
      fallback: description,
    },
  }) as const;

/** A text of one line. */
export const line = <const Text extends string>(label: string, fallback: Text, limit = 120) =>
  ({ kind: 'line', label, limit, fallback }) as const;

/** A paragraph. */
export const text = <const Text extends string>(label: string, fallback: Text, limit = 400) =>
  ({ kind: 'text', label, limit, fallback }) as const;

/** The fields of a card with a drawing. */
export const card = {
  glyph,
  title: { kind: 'line', label: 'Title', limit: 80 },
  description: { kind: 'text', label: 'Description', limit: 400 },
} as const;

/** The fields of a step. */
export const step = {
  title: { kind: 'line', label: 'Title', limit: 80 },
  description: { kind: 'text', label: 'Description', limit: 400 },
} as const;

/** The fields of the band that closes a page. */
export const closing = (title: string, lede: string) =>
  ({
    closing_title: line('End of the page: heading', title),
    closing_lede: text('End of the page: text', lede),
  }) as const;
