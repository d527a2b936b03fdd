import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { RolesService } from '../roles/roles.service.js';
import { RedirectsService } from '../redirects/redirects.service.js';
import type { Actor } from '../shared/actor.js';
import { cleanCharacters } from '../shared/clean-characters.js';
import { postFields } from '../shared/contracts/post-fields.js';
import { characterCount } from '../shared/contracts/post-input.js';
import type { RenamedTerm, RenameTermInput, Term, TermKind, TermLists } from '../shared/contracts/terms.js';
import { pathOfName, toTermPath, toTermSlug, type TermAddress } from '../shared/term-addresses.js';
import { BATCH_SIZE } from './batch.service.js';
import { PostWriter, type RowWrite } from './post-writer.js';
import { PostInputError } from './post.errors.js';
import { renameIn } from './term-change.js';

/** The statements of a kind: who has a name (SEEN: of which posts), and who may have it, edits that wait included. */
const statements: Readonly<Record<TermKind, { readonly list: string; readonly has: string; readonly find: string }>> = {
  category: {
    list: `select category as name, count(*)::int as count from blog_posts
      where deleted_at is null and category is not null and SEEN group by category`,
    has: 'select 1 from blog_posts where category = ? limit 1',
    find: `select id from blog_posts
      where category = ? or strpos(coalesce(working_copy #>> '{fields,category}', ''), ?) > 0 order by id`,
  },
  tag: {
    list: `select name, count(*)::int as count from blog_posts, unnest(tags) as name
      where deleted_at is null and SEEN group by name`,
    has: 'select 1 from blog_posts where tags @> array[?]::text[] limit 1',
    find: `select id from blog_posts
      where tags @> array[?]::text[] or strpos(coalesce(working_copy #>> '{fields,tags}', ''), ?) > 0 order by id`,
  },
};

const AUTHORS = `select author as name, count(*)::int as count from blog_posts
  where deleted_at is null and author <> '' and SEEN group by author`;

/** Categories, tags and authors of all posts (decision 79). Renaming is for administrators. */
@Injectable()
export class TermsService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
    private readonly writer: PostWriter,
    private readonly audit: AuditService,
    private readonly redirects: RedirectsService,
  ) {}

  /** Returns every name that a post has, with how many have it; for authors, of their own and of published posts. */
  async list(actor: Actor): Promise<TermLists> {
    const { ownerId } = await this.roles.requireAuthor(actor);
    const em = this.em.fork({ disableTransactions: true });
    const [seen, values] = ownerId === null ? ['true', []] : ['(is_published or owner_id = ?)', [ownerId]];
    const find = (statement: string) => em.execute<Term[]>(statement.replace('SEEN', seen), values);
    const [categories, tags, authors] = await Promise.all([
      find(statements.category.list),
      find(statements.tag.list),
      find(AUTHORS),
    ]);
    return { categories: inOrder(categories), tags: inOrder(tags), authors: inOrder(authors) };
  }

  /**
   * Renames a category or a tag in all posts and in edits that wait, or in none; earlier versions stay as they were.
   * @throws PostInputError
   */
  async rename(actor: Actor, { kind, from, to, may_merge: mayMerge }: RenameTermInput): Promise<RenamedTerm> {
    await this.roles.requireAdmin(actor);
    const name = checkName(kind, to);
    if (name === from) throw new PostInputError([{ field: 'to', message: 'This is the name already' }]);
    return await this.writer.largeTransaction(async (em) => {
      // Nothing is recorded about a name that only hidden posts have.
      const before = await this.findListed(em, kind, from);
      if (mayMerge === false) await this.requireFree(em, kind, name);
      const isMerged = (await em.execute(statements[kind].has, [name])).length > 0;
      const found = await em.execute<{ id: string }[]>(statements[kind].find, [from, from]);
      let changed = 0;
      for (let start = 0; start < found.length; start += BATCH_SIZE) {
        const ids = found.slice(start, start + BATCH_SIZE).map(({ id }) => id);
        changed += await this.renameIn(em, actor, ids, { kind, from, to: name });
        // The texts of so many posts are not kept in memory.
        em.clear();
      }
      if (changed === 0) throw new PostInputError([{ field: 'from', message: `No post has the ${kind} “${from}”` }]);
      if (before !== null) await this.leadOn(em, kind, before, name);
      const action = `${kind}.${isMerged ? 'merged' : 'renamed'}`;
      await this.audit.record(em, actor, {
        action,
        subjectType: kind,
        // Tags are longer than what the log knows things by; the whole name stands in the details.
        subjectId: [...name].slice(0, 100).join(''),
        subject: from,
        details: { to: name, posts: changed },
      });
      return { name, changed, is_merged: isMerged };
    });
  }

  /** Nothing takes two terms apart again. @throws PostInputError if posts that lists show have the name */
  private async requireFree(em: EntityManager, kind: TermKind, name: string): Promise<void> {
    const terms = await em.execute<Term[]>(statements[kind].list.replace('SEEN', 'true'));
    if (!terms.some((term) => term.name === name)) return;
    const message = `There is a ${kind} “${name}” by now. Rename again to merge the two.`;
    throw new PostInputError([{ field: 'to', message }]);
  }

  /** The term that a name belongs to, if readers see a page of it; null otherwise. */
  private async findListed(em: EntityManager, kind: TermKind, name: string): Promise<TermAddress | null> {
    const slug = toTermSlug(name);
    if (slug === null) return null;
    const found = await em.execute(
      `select 1 from post_terms join blog_posts on id = post_id
       where kind = ? and post_terms.slug = ? and is_published and deleted_at is null limit 1`,
      [kind, slug],
    );
    return found.length > 0 ? { kind, slug } : null;
  }

  /** Lets the page that a term had lead on, unless posts with another spelling of its name keep it. */
  private async leadOn(em: EntityManager, kind: TermKind, before: TermAddress, name: string): Promise<void> {
    const target = pathOfName(kind, name);
    if (target === null || (await this.findListed(em, kind, before.slug)) !== null) return;
    await this.redirects.follow(em, { path: toTermPath(before), target });
  }

  private async renameIn(em: EntityManager, actor: Actor, ids: readonly string[], input: RenameTermInput) {
    const rows = await this.writer.lock(em, ids);
    const writes = rows.flatMap((row): RowWrite[] => {
      const change = renameIn(row, input);
      return change === null ? [] : [{ row, change, isCarryingEdits: true }];
    });
    await this.writer.write(em, actor, writes);
    return writes.length;
  }
}

function inOrder(terms: readonly Term[]): Term[] {
  return terms.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Returns a new name as posts store it. @throws PostInputError by the rules of posts (product.md 5.3 and 5.5) */
function checkName(kind: TermKind, text: string): string {
  const { limit } = kind === 'category' ? postFields.category : postFields.tags;
  const noun = kind === 'category' ? 'Category' : 'Tag';
  const name = cleanCharacters(text).normalize('NFC').trim();
  if (name === '') throw new PostInputError([{ field: 'to', message: `${noun} is required` }]);
  if (characterCount(name) > limit) throw new PostInputError([{ field: 'to', message: `${noun} too long` }]);
  if (kind === 'tag' && name.includes(',')) {
    throw new PostInputError([{ field: 'to', message: 'A tag has no comma' }]);
  }
  return name;
}
