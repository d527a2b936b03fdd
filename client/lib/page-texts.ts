import type { Shown } from '../../src/shared/contracts/page-texts/common-fields.js';
import type { PageField, PageFields, PageTexts, ValuesOf } from '../../src/shared/contracts/page-texts/fields.js';
import {
  fillText,
  toCompanyValues,
  type PlaceholderValues,
} from '../../src/shared/contracts/page-texts/placeholders.js';
import type { PageEdits } from '../../src/shared/contracts/page-texts/page-edits.js';
import type { Site } from '../../src/shared/contracts/site.js';
import { useEdits, useSite } from './site-context.js';

/** Values of a page that was rendered for one moment of the site. */
interface Filled {
  readonly edits: PageEdits | undefined;
  readonly values: unknown;
}

/** As all visitors see the same, a page is filled once for each moment of the site. */
const filled = new WeakMap<Site, Map<string, Filled>>();

/**
 * The texts of a page, with facts in the place of their placeholders. Rich texts come as they are, for {@link RichText}.
 * @param more values of placeholders beside those of the company
 */
export function usePageTexts<Fields extends PageFields>(
  texts: PageTexts<Fields>,
  more?: () => PlaceholderValues,
): ValuesOf<Fields> {
  const site = useSite();
  const edits = useEdits();
  let pages = filled.get(site);
  if (pages === undefined) filled.set(site, (pages = new Map<string, Filled>()));
  const known = pages.get(texts.page);
  if (known !== undefined && known.edits === edits) return known.values as ValuesOf<Fields>;
  const values = fillAll(texts, edits, { ...toCompanyValues(site), ...more?.() });
  pages.set(texts.page, { edits, values });
  return values;
}

function fillAll<Fields extends PageFields>(
  { page, fields, defaults }: PageTexts<Fields>,
  edits: PageEdits | undefined,
  facts: PlaceholderValues,
): ValuesOf<Fields> {
  const values: Record<string, unknown> = edits?.page === page ? { ...defaults, ...edits.values } : { ...defaults };
  for (const name in fields) values[name] = fillValue(fields[name], values[name], facts);
  return values as ValuesOf<Fields>;
}

function fillValue(field: PageField | undefined, value: unknown, facts: PlaceholderValues): unknown {
  switch (field?.kind) {
    case 'line':
    case 'text':
      return fillText(value as string, facts);
    case 'lines':
      return (value as readonly string[]).map((line) => fillText(line, facts));
    case 'list':
      return (value as readonly Readonly<Record<string, unknown>>[]).map((entry) =>
        Object.fromEntries(Object.keys(entry).map((name) => [name, fillValue(field.of[name], entry[name], facts)])),
      );
    default:
      return value;
  }
}

/** Returns the entries of a list that the company can say at present. */
export function shownOf<Entry extends { readonly shown: Shown }>(
  entries: readonly Entry[],
  site: Pick<Site, 'claims' | 'contactPerson'>,
): Entry[] {
  return entries.filter(({ shown }) => isShown(shown, site));
}

function isShown(shown: Shown, { claims, contactPerson }: Pick<Site, 'claims' | 'contactPerson'>): boolean {
  switch (shown) {
    case 'always':
      return true;
    case 'around_the_clock':
      return claims.aroundTheClock;
    case 'not_around_the_clock':
      return !claims.aroundTheClock;
    case 'founded':
      return claims.founded;
    case 'clients':
      return claims.clients;
    case 'contact_person':
      return contactPerson !== null;
  }
}
