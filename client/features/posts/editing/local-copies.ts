import type { PostForm } from '../../../../src/shared/contracts/admin-posts.js';
import type { DateDecision } from './publication.js';
import { applyChange, CHANGE_MAX, findChange, type TextChange } from './text-change.js';

/**
 * Why a text lies on this device: the server has not said yet that it holds it, or it lost against another version and
 * its author may want to look something up in it.
 */
export type CopyReason = 'unsent' | 'mine' | 'theirs';

/** A text kept on this device. Whether readers are to see it is no part of it, and its date neither: that is only noted. */
export interface LocalCopy {
  /** Names it in the storage. */
  readonly key: string;
  readonly postId: string;
  /** The version of the post from which it was written; 0 when the server knew nothing of the post. */
  readonly version: number;
  /** When it was written here, ISO 8601, UTC. */
  readonly at: string;
  readonly reason: CopyReason;
  readonly fields: PostForm;
  /** A date that was typed and not saved. Copies of the release before have one also when nobody typed it. */
  readonly unsavedDate?: DateDecision;
}

/** The part of the Web Storage API that is needed. */
export type CopyStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Raised when the shape of what is stored changes: what an older page has left behind is then not understood. */
const PREFIX = 'post-copy-2';
/** Prefix of the release before, which stored a switch beside the text. Such copies are read without the switch. */
const FORMER_PREFIX = 'post-copy-1';
/** Prefix of text typed since a copy was written whole. */
const CHANGE_PREFIX = 'post-copy-2-change';

interface WholeRecord extends Omit<LocalCopy, 'key'> {
  /** Names this writing of the whole text, for the changes that start from it. */
  readonly base: string;
}

/** The release before had the date shown to readers among the fields. */
type FormerForm = PostForm & { readonly published_date?: string | null };

interface FormerRecord extends Omit<LocalCopy, 'key' | 'fields'> {
  readonly draft: { readonly fields: PostForm };
}

/** The other fields are short: they are written whole. */
interface ChangeRecord extends Pick<LocalCopy, 'version' | 'at' | 'unsavedDate'> {
  readonly base: string;
  readonly fields: Omit<PostForm, 'content'>;
  readonly content: TextChange;
}

/** The texts of one person's posts on this device. Storage may be full or forbidden: then `put` answers false. */
export class LocalCopies {
  readonly #storage: CopyStorage | null;
  readonly #userId: string;
  /** The last whole copy that this page wrote, by key. */
  readonly #bases = new Map<string, { readonly base: string; readonly content: string }>();
  #count = 0;

  /** @param userId whose texts; others who use this device are not shown them */
  constructor(storage: CopyStorage | null, userId: string) {
    this.#storage = storage;
    this.#userId = userId;
  }

  /** The key of a copy; one editor overwrites its own and nobody else's. */
  keyFor(postId: string, id: string): string {
    return `${PREFIX}:${this.#userId}:${postId}:${id}`;
  }

  /**
   * Writes a copy over the one of the same key: only what changed since it was written whole, as long as that is short.
   * A key press in a long post then costs as much as one in a short post.
   */
  put(copy: LocalCopy): boolean {
    if (this.#storage === null) return false;
    try {
      if (!this.#putChange(this.#storage, copy)) this.#putWhole(this.#storage, copy);
      return true;
    } catch {
      // Full, or forbidden: whoever asked tells the author.
      return false;
    }
  }

  remove(key: string): void {
    this.#bases.delete(key);
    try {
      this.#storage?.removeItem(key);
      this.#storage?.removeItem(toChangeKey(key));
    } catch {
      // Forbidden: then there is none.
    }
  }

  /** The copies of a post, the newest first. */
  ofPost(postId: string): LocalCopy[] {
    return this.#all().filter((copy) => copy.postId === postId);
  }

  /** The copies of posts of which the server has never heard, the newest first. */
  ofNewPosts(): LocalCopy[] {
    return this.#all().filter(({ version, reason }) => version === 0 && reason === 'unsent');
  }

  /** The copies of posts that the server knew, without the versions of others, the newest first. */
  ofKnownPosts(): LocalCopy[] {
    return this.#all().filter(({ version, reason }) => version > 0 && reason !== 'theirs');
  }

  #putWhole(storage: CopyStorage, { key, ...kept }: LocalCopy): void {
    const base = `${kept.at}/${(this.#count += 1)}`;
    const record: WholeRecord = { ...kept, base };
    storage.setItem(key, JSON.stringify(record));
    this.#bases.set(key, { base, content: kept.fields.content });
    // It starts from what was here before, and is not applied to this one should the page die before it is gone.
    storage.removeItem(toChangeKey(key));
  }

  /** Answers false where the text has to be written whole. */
  #putChange(
    storage: CopyStorage,
    { key, version, at, fields: { content, ...fields }, unsavedDate }: LocalCopy,
  ): boolean {
    const last = this.#bases.get(key);
    if (last === undefined) return false;
    const change = findChange(last.content, content);
    // Somebody may have emptied the storage.
    if (change.text.length > CHANGE_MAX || storage.getItem(key) === null) return false;
    const noted = unsavedDate ? { unsavedDate } : {};
    const record: ChangeRecord = { base: last.base, version, at, fields, content: change, ...noted };
    storage.setItem(toChangeKey(key), JSON.stringify(record));
    return true;
  }

  #all(): LocalCopy[] {
    try {
      const { length = 0 } = this.#storage ?? {};
      const keys = Array.from({ length }, (_, index) => this.#storage?.key(index) ?? '');
      const copies = keys.flatMap((key) => this.#find(key));
      return copies.sort((a, b) => b.at.localeCompare(a.at));
    } catch {
      return [];
    }
  }

  #find(key: string): LocalCopy[] {
    if (key.startsWith(`${PREFIX}:${this.#userId}:`)) return this.#read(key);
    return key.startsWith(`${FORMER_PREFIX}:${this.#userId}:`) ? this.#readFormer(key) : [];
  }

  #read(key: string): LocalCopy[] {
    const { base, ...copy }: Partial<WholeRecord> = this.#parse<WholeRecord>(key) ?? {};
    if (!isCopy(copy)) return [];
    const change = this.#parse<ChangeRecord>(toChangeKey(key));
    if (!change || change.base !== base) return [toCopy(key, copy)];
    const { version, at, fields, unsavedDate } = change;
    const content = applyChange(copy.fields.content, change.content);
    const { postId, reason } = copy;
    const noted = unsavedDate ? { unsavedDate } : {};
    return [toCopy(key, { postId, reason, version, at, fields: { ...fields, content }, ...noted })];
  }

  #readFormer(key: string): LocalCopy[] {
    const { draft, ...rest }: Partial<FormerRecord> = this.#parse<FormerRecord>(key) ?? {};
    const copy = { ...rest, fields: draft?.fields };
    return isCopy(copy) ? [toCopy(key, copy)] : [];
  }

  #parse<T>(key: string): T | null {
    try {
      return JSON.parse(this.#storage?.getItem(key) ?? 'null') as T | null;
    } catch {
      // Not ours after all. It stays where it is.
      return null;
    }
  }
}

/** Returns true when a value that was read is a copy. Other values are left in place. */
function isCopy(value: { readonly [Name in keyof LocalCopy]?: unknown }): value is Omit<LocalCopy, 'key'> {
  const { postId, at, fields } = value;
  return typeof postId === 'string' && typeof at === 'string' && typeof fields === 'object' && fields !== null;
}

/** Takes the date that the release before kept among the fields out of them. */
function toCopy(key: string, copy: Omit<LocalCopy, 'key'>): LocalCopy {
  const { published_date, ...fields }: FormerForm = copy.fields;
  const noted = published_date === undefined ? {} : { unsavedDate: { to: published_date } };
  return { ...noted, ...copy, fields, key };
}

function toChangeKey(key: string): string {
  return CHANGE_PREFIX + key.slice(PREFIX.length);
}
