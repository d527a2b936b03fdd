import type { EntityManager } from '@mikro-orm/postgresql';
import { factSpec, pictureFacts, type CompanyFact } from '../shared/contracts/company-facts.js';
import type { CompanyUseKind, MediaUse } from '../shared/contracts/media.js';

const FACTS = pictureFacts.map((name) => `('${name}')`).join();

/**
 * The images of all facts of the company: on pages, in the draft, and in the versions that are kept. The documents
 * themselves are asked, of which there are a hundred at most: nothing beside them could say something else.
 */
const USES = `select substring(content ->> fact from '^/media/([0-9a-f]{32})-') as image, fact, kind from (
    select content, 'company' as kind from settings_documents where name = 'company'
    union all select draft, 'company-draft' from settings_documents where name = 'company' and draft is not null
    union all select content, 'company-version' from settings_versions where document = 'company'
  ) held, (values ${FACTS}) facts (fact) where content ->> fact like '/media/%'`;

/** The condition, in SQL, for rows of `images` that a post or the company shows. */
export const IS_USED = `(exists (select from image_uses where image_id = images.id)
  or images.id in (select image from (${USES}) company where image is not null))`;

/** The condition, in SQL, for rows of `images` that every visitor sees as a picture of the company. */
export const ON_COMPANY_PAGES = `images.id in (
  select image from (${USES}) company where image is not null and kind = 'company')`;

/** Finds the facts of the company that show these images, those on pages first. */
export async function findCompanyUses(em: EntityManager, imageIds: readonly string[]): Promise<[string, MediaUse][]> {
  const rows = await em.execute<{ image: string; fact: CompanyFact; kind: CompanyUseKind }[]>(
    `select distinct image, fact, kind from (${USES}) company where image = any(?::text[]) order by kind, fact`,
    [`{${imageIds.join()}}`],
  );
  // A version that was published is listed among the earlier ones as well.
  const isShown = (row: (typeof rows)[number]) =>
    row.kind !== 'company-version' ||
    !rows.some(({ kind, image, fact }) => kind === 'company' && image === row.image && fact === row.fact);
  return rows
    .filter(isShown)
    .map(({ image, fact, kind }) => [image, { post_id: null, title: factSpec(fact).label, kind }]);
}
