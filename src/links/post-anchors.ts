import type { EntityManager } from '@mikro-orm/postgresql';
import { findAnchors } from '../posts/content/find-anchors.js';
import type { OwnAddresses } from '../posts/content/remote-images.js';

/** Posts whose texts are read at once. */
const READ_AT_ONCE = 50;
/** Posts that are remembered: links lead to few of them again and again. */
const REMEMBERED = 5_000;

type Ids = ReadonlySet<string>;

interface Remembered {
  readonly version: number;
  readonly ids: Ids;
}

interface AnchorRow {
  readonly id: string;
  readonly version: number;
  /** Null when the version is the one that is remembered. */
  readonly content: string | null;
}

/** Knows the places on the pages of posts that links can name; they follow from the text, and are found once per version. */
export class PostAnchors {
  private readonly remembered = new Map<string, Remembered>();

  constructor(private readonly own: OwnAddresses) {}

  /** Returns the places of posts as readers see them, by the id of the post. */
  async read(em: EntityManager, postIds: ReadonlySet<string>): Promise<Map<string, Ids>> {
    const found = new Map<string, Ids>();
    const asked = [...postIds];
    for (let at = 0; at < asked.length; at += READ_AT_ONCE) {
      const part = asked.slice(at, at + READ_AT_ONCE);
      const lines = part.map((id) => ({ id, version: this.remembered.get(id)?.version ?? null }));
      const rows = await em.execute<AnchorRow[]>(
        `select p.id, p.version, case when known.version is distinct from p.version then content end as content
         from jsonb_to_recordset(?::jsonb) as known (id uuid, version int) join blog_posts p on p.id = known.id`,
        [JSON.stringify(lines)],
      );
      for (const row of rows) found.set(row.id, await this.toIds(row));
    }
    return found;
  }

  /** Returns the places of a text. */
  async ofText(content: string): Promise<Ids> {
    return await findAnchors(content, this.own);
  }

  private async toIds({ id, version, content }: AnchorRow): Promise<Ids> {
    const kept = this.remembered.get(id);
    if (kept?.version === version) return kept.ids;
    const ids = await this.ofText(content ?? '');
    if (this.remembered.size >= REMEMBERED) this.remembered.clear();
    this.remembered.set(id, { version, ids });
    return ids;
  }
}
