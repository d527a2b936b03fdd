import { EMPTY_FORM, type AdminPost, type PostForm } from '../../../../src/shared/contracts/admin-posts.js';
import type { LocalCopy } from './local-copies.js';
import type { PostApi } from './post-api.js';
import type { Saving } from './saving-state.js';

type Revisions = Pick<PostApi, 'listRevisions' | 'findRevision'>;

/**
 * Returns the text from which a copy of this device was written, when somebody else has changed the post since: then it
 * must not take the place of theirs unseen. Null when nobody has, or when the copy is one that its author gave up for
 * another text and now wants back.
 * @param email of the author of the copy
 */
export async function findContestedBase(
  api: Revisions,
  { server, version }: Pick<Saving, 'server' | 'version'>,
  copy: LocalCopy,
  email: string,
): Promise<PostForm | null> {
  if (server === null || copy.reason !== 'unsent' || copy.version >= version) return null;
  const isKeptByOthers = server.working_copy !== null && server.working_copy.kept_by !== email;
  try {
    return await findBase(api, copy, email, isKeptByOthers);
  } catch {
    // Nobody can be asked. What the server said last tells whose text it has; where the copy began is not known.
    return isKeptByOthers || isSavedByOthers(server, email) ? EMPTY_FORM : null;
  }
}

function isSavedByOthers({ working_copy, saved_by }: AdminPost, email: string): boolean {
  return working_copy === null && saved_by !== email;
}

/** Goes back through the versions to the newest one that the copy can have begun from. */
async function findBase(api: Revisions, { postId, version }: LocalCopy, email: string, isKeptByOthers: boolean) {
  let isContested = isKeptByOthers;
  let cursor: string | null = null;
  do {
    const page = await api.listRevisions(postId, cursor);
    for (const revision of page.items) {
      if (revision.version <= version) {
        return isContested ? { ...EMPTY_FORM, ...(await api.findRevision(postId, revision.id)).fields } : null;
      }
      isContested ||= revision.author !== email;
    }
    cursor = page.next_cursor;
  } while (cursor !== null);
  return isContested ? EMPTY_FORM : null;
}
