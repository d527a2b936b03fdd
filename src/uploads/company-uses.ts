import type { EntityManager } from '@mikro-orm/postgresql';
import { factSpec, pictureFacts, type CompanyFact } from '../shared/contracts/company-facts.js';
import type { CompanyUseKind, MediaUse, PagesUseKind } from '../shared/contracts/media.js';
import { sitePages } from '../shared/site-pages.js';

const FACTS = pictureFacts.map((name) => `('${name}')`).join();

/**
 * The images of all facts of the company: on pages, in the draft, and in the versions that are kept. The documents
 * themselves are asked, of which there are a hundred at most: nothing beside them could say something else.
 */
const COMPANY_USES = `select substring(content ->> fact from '^/media/([0-9a-f]{32})-') as image, fact, kind from (
    select content, 'company' as kind from settings_documents where name = 'company'
    union all select draft, 'company-draft' from settings_documents where name = 'company' and draft is not null
    union all select content, 'company-version' from settings_versions where document = 'company'
  ) held, (values ${FACTS}) facts (fact) where content ->> fact like '/media/%'`;

/** The images that texts of pages link to, as links in posts count too; the name of a text begins with that of its page. */
const PAGES_USES = `select found[1] as image, split_part(name, '.', 1) as fact, kind from (
    select content, 'pages' as kind from settings_documents where name = 'pages'
    union all select draft, 'pages-draft' from settings_documents where name = 'pages' and jsonb_typeof(draft) = 'object'
    union all select content, 'pages-version' from settings_versions where document = 'pages'
  ) held, jsonb_each_text(content) texts (name, value), regexp_matches(value, '/([0-9a-f]{32})[-.]', 'g') found`;

const USES = `${COMPANY_USES} union all ${PAGES_USES}`;

/** The condition, in SQL, for rows of `images` that a post, the company or the text of a page shows. */
export const IS_USED = `(exists (select from image_uses where image_id = images.id)
  or images.id in (select image from (${USES}) company where image is not null))`;

/** The condition, in SQL, for rows of `images` that every visitor sees as a picture of the company, or is led to by a page. */
export const ON_COMPANY_PAGES = `images.id in (
  select image from (${USES}) company where image is not null and kind in ('company', 'pages'))`;

/** Finds the facts of the company, and the pages, that show these images, those that are published first. */
export async function findCompanyUses(em: EntityManager, imageIds: readonly string[]): Promise<[string, MediaUse][]> {
  const rows = await em.execute<Row[]>(
    `select distinct image, fact, kind from (${USES}) company where image = any(?::text[]) order by kind, fact`,
    [`{${imageIds.join()}}`],
  );
  // A version that was published is listed among the earlier ones as well.
  const isShown = (row: (typeof rows)[number]) =>
    !row.kind.endsWith('-version') ||
    !rows.some(({ kind, image, fact }) => `${kind}-version` === row.kind && image === row.image && fact === row.fact);
  return rows
    .filter(isShown)
    .map(({ image, fact, kind }) => [image, { post_id: null, title: titleOf(kind, fact), kind }]);
}

interface Row {
  readonly image: string;
  /** The name of a fact, or of a page. */
  readonly fact: string;
  readonly kind: CompanyUseKind | PagesUseKind;
}

function titleOf(kind: Row['kind'], fact: string): string {
  // A page of a later release has no label here.
  if (kind.startsWith('pages'))
    return (sitePages as Partial<Record<string, { readonly label: string }>>)[fact]?.label ?? fact;
  return factSpec(fact as CompanyFact).label;
}
