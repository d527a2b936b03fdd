import type { Draft } from './draft.js';

/**
 * Why a text lies on this device: the server has not said yet that it holds it, or it lost against another version and
 * its author may want to look something up in it.
 */
export type CopyReason = 'unsent' | 'mine' | 'theirs';

/** A text kept on this device. */
export interface LocalCopy {
  /** Names it in the storage. */
  readonly key: string;
  readonly postId: string;
  /** The version of the post from which it was written; 0 when the server knew nothing of the post. */
  readonly version: number;
  /** When it was written here, ISO 8601, UTC. */
  readonly at: string;
  readonly reason: CopyReason;
  readonly draft: Draft;
}

/** The part of the Web Storage API that is needed. */
export type CopyStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Raised when the shape of what is stored changes: what an older page has left behind is then not understood. */
const PREFIX = 'post-copy-1';

/** The texts of one person's posts on this device. Storage may be full or forbidden: then `put` answers false. */
export class LocalCopies {
  readonly #storage: CopyStorage | null;
  readonly #prefix: string;

  /** @param userId whose texts; others who use this device are not shown them */
  constructor(storage: CopyStorage | null, userId: string) {
    this.#storage = storage;
    this.#prefix = `${PREFIX}:${userId}:`;
  }

  /** The key of a copy; one editor overwrites its own and nobody else's. */
  keyFor(postId: string, id: string): string {
    return `${this.#prefix}${postId}:${id}`;
  }

  put(copy: LocalCopy): boolean {
    try {
      const { key, ...kept } = copy;
      this.#storage?.setItem(key, JSON.stringify(kept));
      return this.#storage !== null;
    } catch {
      // Full, or forbidden: whoever asked tells the author.
      return false;
    }
  }

  remove(key: string): void {
    try {
      this.#storage?.removeItem(key);
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

  #all(): LocalCopy[] {
    try {
      const { length = 0 } = this.#storage ?? {};
      const keys = Array.from({ length }, (_, index) => this.#storage?.key(index) ?? '');
      const copies = keys.filter((key) => key.startsWith(this.#prefix)).flatMap((key) => this.#read(key));
      return copies.sort((a, b) => b.at.localeCompare(a.at));
    } catch {
      return [];
    }
  }

  #read(key: string): LocalCopy[] {
    try {
      const kept = JSON.parse(this.#storage?.getItem(key) ?? '') as Omit<LocalCopy, 'key'>;
      return [{ ...kept, key }];
    } catch {
      // Not ours after all. It stays where it is.
      return [];
    }
  }
}
