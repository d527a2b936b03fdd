import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { RefusedError } from '../import/import.errors.js';
import { RemovalLog } from '../posts/content/removal-log.js';
import { EditingService } from '../posts/editing.service.js';
import { propertiesOf } from '../posts/post-columns.js';
import { preparePost, type PostFields } from '../posts/post-preparation.js';
import { Post, type PostRow } from '../posts/post.entity.js';
import {
  PostChangedException,
  PostInputError,
  PostNotFoundException,
  SlugTakenException,
} from '../posts/post.errors.js';
import { RedirectsService } from '../redirects/redirects.service.js';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import { transferredFields } from '../shared/contracts/post-fields.js';
import type { SavePostInput } from '../shared/contracts/admin-post-inputs.js';
import { slugify } from '../shared/slug.js';
import { describeUnknownPost } from '../shared/unknown-post.js';
import { SiteService } from '../site/site.service.js';
import { DocumentError, PostMovedOnError } from './export.error.js';
import { readPost } from './exported-posts.js';
import type { ExportedPost } from './exported-post.js';

/** A post in its Markdown form, which is that of exports. */
export interface PostDocument {
  readonly id: string;
  /** The version that the text is of. */
  readonly version: number;
  readonly slug: string;
  readonly text: string;
  /** The same for programs, as in exports to JSON. */
  readonly record: Readonly<Record<string, unknown>>;
  /** Edits that nobody saved, which the text does not have; null for none. `by` is null for an account that is gone. */
  readonly unsaved: { readonly by: string | null; readonly at: Date } | null;
}

/** The result of a save. */
export interface SavedDocument {
  readonly slug: string;
  /** False when the text says what the post says already: nothing was written. */
  readonly isChanged: boolean;
  readonly isPublished: boolean;
  /** Things that are not as they were written. */
  readonly notes: readonly string[];
}

/** Facts of a new post that are said beside its text, and win. */
export interface NewDocument {
  readonly title?: string;
  readonly slug?: string;
  readonly isPublished?: boolean;
}

/** Shows, saves and creates single posts in the Markdown form of exports. For administrators. */
@Injectable()
export class PostDocumentsService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
    private readonly redirects: RedirectsService,
    private readonly editing: EditingService,
    private readonly site: SiteService,
  ) {}

  /** @throws Error when no post has the slug, or it is in the trash, or was never saved */
  async find(actor: Actor, slug: string): Promise<PostDocument> {
    await this.roles.requireAdmin(actor);
    const em = this.em.fork({ disableTransactions: true });
    const post = await readPost(em, slug, this.redirects);
    if (post === null) throw new Error(describeUnknownPost(slug));
    if (post.row.deletedAt) throw new Error(`${slug} is in the trash: restore it first`);
    if (post.row.title === '') throw new Error(`${slug} was never saved: it lacks something that a post must have`);
    return await toDocument(post);
  }

  /**
   * Saves a text over the post that it was made of.
   * @param isReplacingEdits true to save over edits that nobody saved; they are kept among the versions
   * @throws DocumentError with every problem, by lines
   * @throws PostMovedOnError if somebody changed the post since it was read
   */
  async save(actor: Actor, read: PostDocument, text: string, isReplacingEdits = false): Promise<SavedDocument> {
    await this.roles.requireAdmin(actor);
    const { readWrittenPost, refuseOtherFacts, toInput } = await import('./post-document.js');
    const { id, slug, version, unsaved } = read;
    return await inLines(text, async () => {
      const written = readWrittenPost(text, false);
      const former = readWrittenPost(read.text, false);
      refuseOtherFacts(text, written.values, former.values);
      const { timeZone } = this.site.current;
      const input = toInput(written, { version, before: former.date, timeZone, text });
      const { fields, notes } = check(input);
      const row = await this.em.fork({ disableTransactions: true }).findOne(Post, { id });
      if (row?.version !== version) throw new PostChangedException();
      if (isSame(row, fields)) return { slug, isChanged: false, isPublished: row.isPublished, notes: [] };
      if (unsaved !== null && !isReplacingEdits) throw new PostMovedOnError(`${slug} ${describeUnsaved(unsaved)}`);
      const saved = await this.editing.save(actor, id, input);
      return { slug: saved.slug, isChanged: true, isPublished: saved.is_published, notes };
    });
  }

  /**
   * Creates a post, as a draft unless told otherwise. A text without front matter is the text of the post.
   * @throws DocumentError with every problem, by lines
   */
  async create(actor: Actor, text: string, given: NewDocument = {}): Promise<SavedDocument> {
    await this.roles.requireAdmin(actor);
    const { factsIn, readWrittenPost, toInput } = await import('./post-document.js');
    return await inLines(text, async () => {
      const read = readWrittenPost(text, true);
      const { name, timeZone } = this.site.current;
      const title = given.title ?? read.texts.title;
      // Without a title, that is what is wrong.
      const made = slugify(typeof title === 'string' && title.trim() !== '' ? title : 'untitled');
      const texts = {
        ...read.texts,
        title,
        slug: given.slug ?? (read.texts.slug || made),
        author: read.texts.author || name,
      };
      const input = toInput({ ...read, texts }, { version: 0, before: null, timeZone, text });
      const { notes } = check(input);
      const isPublished = given.isPublished === true;
      const saved = await this.editing.create(actor, Object.assign(input, { is_published: isPublished }));
      const left = factsIn(read);
      const replaced = (['title', 'slug'] as const).filter(
        (field) => given[field] !== undefined && read.texts[field] && read.texts[field] !== given[field],
      );
      return {
        slug: saved.slug,
        isChanged: true,
        isPublished: saved.is_published,
        notes: [
          ...notes,
          ...replaced.map(
            (field) => `--${field} took the place of the ${field} in the text: ${String(read.texts[field])}`,
          ),
          ...(left.length > 0 ? [`not taken from the text, as it is a new post: ${left.join(', ')}`] : []),
        ],
      };
    });
  }

  /** The beginning of a new post, for an editor. */
  draft({ title = '', slug = '' }: NewDocument = {}): string {
    const lines = { title, slug, excerpt: '', author: this.site.current.name, category: '', tags: '' };
    const text = Object.entries(lines).map(([name, value]) => `${name}: ${value === '' ? '' : JSON.stringify(value)}`);
    return `---\n${text.map((line) => line.trimEnd()).join('\n')}\n---\n\n`;
  }
}

/** Returns true for an error that another text would not have. */
export function isTextToRepair(error: unknown): boolean {
  return error instanceof DocumentError;
}

/** Says that a post has edits that nobody saved. */
export function describeUnsaved({ by, at }: NonNullable<PostDocument['unsaved']>): string {
  return `has edits of ${by ?? 'an account that is gone'} that nobody saved, of ${at.toISOString()}`;
}

async function toDocument(post: ExportedPost & { readonly row: EditedRow }): Promise<PostDocument> {
  // What writes Markdown is large; servers write none.
  const [{ toMarkdownFile }, { toRecord }] = await Promise.all([
    import('./markdown-files.js'),
    import('./json-files.js'),
  ]);
  const { row } = post;
  return {
    id: row.id,
    version: row.version,
    slug: row.slug,
    text: toMarkdownFile(post, new Map()),
    record: { ...toRecord(post, new Map()), version: row.version },
    unsaved: row.keptAt == null ? null : { by: row.keptBy?.email ?? null, at: row.keptAt },
  };
}

type EditedRow = Pick<PostRow, 'version' | 'deletedAt'> &
  ExportedPost['row'] & { keptBy?: { email?: string | null } | null };

function check(input: SavePostInput): { readonly fields: PostFields; readonly notes: readonly string[] } {
  const log = new RemovalLog();
  return { fields: preparePost(input, log), notes: log.describe() };
}

function isSame(row: PostRow, fields: PostFields): boolean {
  if (fields.publishedDate !== undefined) return false;
  return propertiesOf(transferredFields).every(
    (property) => JSON.stringify(fields[property] ?? null) === JSON.stringify(row[property] ?? null),
  );
}

/** Does a task, whose errors are said by the lines of the text. */
async function inLines<T>(text: string, task: () => Promise<T>): Promise<T> {
  const { lineOf, nameOf } = await import('./post-document.js');
  const inLine = (field: string, message: string) => ({ line: lineOf(text, nameOf(field)), message });
  try {
    return await task();
  } catch (error) {
    if (error instanceof PostInputError) {
      throw new DocumentError(error.problems.map(({ field, message }) => inLine(field, message)));
    }
    if (error instanceof SlugTakenException) {
      const { fields, free_slug: free } = error.getResponse() as { fields: { slug: string[] }; free_slug: string };
      throw new DocumentError([inLine('slug', `${fields.slug.join()}; ${free} is free`)]);
    }
    if (error instanceof PostChangedException || error instanceof PostNotFoundException) {
      throw new PostMovedOnError('somebody changed or removed the post in the meantime, and nothing was saved');
    }
    if (error instanceof RefusedError) throw new DocumentError([{ line: null, message: error.message }]);
    throw error;
  }
}
