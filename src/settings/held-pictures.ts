import type { EntityManager } from '@mikro-orm/postgresql';
import { factSpec, pictureFacts, type CompanyFact } from '../shared/contracts/company-facts.js';
import { parseMediaUrl } from '../shared/media.js';
import { SettingsRefusedError } from './settings.errors.js';

type Values = Readonly<Record<string, unknown>>;

/**
 * Checks that the pictures which facts name are in the library, and locks them against removal until the transaction of
 * `em` ends: a removal that is under way is waited for, and one that comes later finds them in use.
 * @param pathOf the place that a problem is named by
 * @throws SettingsRefusedError naming every fact whose picture is not there
 */
export async function holdPictures(em: EntityManager, values: Values, pathOf = (name: string) => name): Promise<void> {
  const wanted = pictureFacts.flatMap((name) => {
    const value = values[name];
    const media = typeof value === 'string' ? parseMediaUrl(value) : null;
    return media === null ? [] : [{ name, value, id: media.id }];
  });
  if (wanted.length === 0) return;
  // In one order, so that nobody waits for one who waits.
  const rows = await em.execute<{ address: string }[]>(
    `select '/media/' || name as address from images
     where id = any(?::text[]) and removed_at is null order by id for share`,
    [`{${wanted.map(({ id }) => id).join()}}`],
  );
  const known = new Set(rows.map(({ address }) => address));
  const problems = wanted.flatMap(({ name, value }) =>
    known.has(String(value)) ? [] : [{ path: pathOf(name), message: describeLack(name, String(value)) }],
  );
  if (problems.length > 0) throw new SettingsRefusedError(problems);
}

function describeLack(name: CompanyFact, address: string): string {
  return `${factSpec(name).label} names a picture that the media library of this site does not have: ${address}`;
}
