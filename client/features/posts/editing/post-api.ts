import type {
  AdminPost,
  PostConflict,
  PostRefusal,
  PreviewLink,
  Revision,
  RevisionPage,
} from '../../../../src/shared/contracts/admin-posts.js';
import type { LinkCheckResult } from '../../../../src/shared/contracts/link-check.js';
import type { PostPresence } from '../../../../src/shared/contracts/post-presence.js';
import { adminPaths } from '../../../../src/shared/admin-paths.js';
import { paths } from '../../../../src/shared/paths.js';
import type { AdminApi, RequestOptions } from '../../../lib/admin-api.js';
import { ApiError, describeError, SessionExpiredError, UnreachableError } from '../../../lib/api-errors.js';
import { lacksFields } from './fields.js';
import type { Answer, SaveRequest } from './saving-state.js';

const PRESENCE_PATIENCE_MS = 10_000;
const BACKGROUND: RequestOptions = { isBackground: true };

/** The calls of the editor. */
export class PostApi {
  constructor(private readonly api: AdminApi) {}

  load(id: string): Promise<AdminPost> {
    return this.api.get(adminPaths.post(id));
  }

  /** How the post stands now, for an editor that looks by itself. */
  look(id: string): Promise<Answer> {
    return toAnswer(this.api.get(adminPaths.post(id), BACKGROUND));
  }

  /** Says that this tab has the post open. An answer that comes late is of no use. */
  notePresence(id: string, tab: string, isHidden: boolean): Promise<PostPresence> {
    const options = { patienceMs: PRESENCE_PATIENCE_MS, isBackground: true };
    return this.api.post(adminPaths.presence(id), { tab, is_hidden: isHidden }, options);
  }

  /** Saves or keeps a text. An ended session is an answer like others: who waits for it asks for the password. */
  readonly send = async (postId: string, request: SaveRequest): Promise<Answer> => {
    if (request.needsFields) {
      const answer = await this.look(postId);
      if (answer.kind !== 'done') return answer;
      if (lacksFields(answer.post, request.fields)) return { kind: 'outdated' };
    }
    const { saveId: save_id, version, fields, kind, publication, date, restoredFrom } = request;
    const path = kind === 'keep' ? adminPaths.workingCopy(postId) : adminPaths.post(postId);
    const body =
      kind === 'keep'
        ? { version, save_id, fields }
        : {
            ...fields,
            ...(publication === null ? {} : { is_published: publication }),
            ...(date === null ? {} : { published_date: date.to }),
            version,
            save_id,
            ...(restoredFrom ? { restored_from: restoredFrom } : {}),
          };
    return await toAnswer(this.api.put<AdminPost>(path, body, BACKGROUND));
  };

  discard(id: string, version: number): Promise<Answer> {
    return toAnswer(this.api.delete<AdminPost>(adminPaths.workingCopy(id), { query: { version } }));
  }

  /** @param publishAt ISO 8601, or null to take the plan back */
  schedule(id: string, version: number, publishAt: string | null): Promise<Answer> {
    const body = { version, publish_at: publishAt };
    return toAnswer(this.api.put<AdminPost>(adminPaths.schedule(id), body));
  }

  restoreFromTrash(id: string, version: number): Promise<Answer> {
    return toAnswer(this.api.post<AdminPost>(adminPaths.restore(id), { version }));
  }

  moveToTrash(id: string, version: number): Promise<Answer> {
    return toAnswer(this.api.delete<AdminPost>(adminPaths.post(id), { query: { version } }));
  }

  duplicate(id: string): Promise<AdminPost> {
    return this.api.post(adminPaths.duplicate(id));
  }

  createPreviewLink(id: string): Promise<PreviewLink> {
    return this.api.post(adminPaths.previewLinks(id));
  }

  listPreviewLinks(id: string): Promise<readonly PreviewLink[]> {
    return this.api.get(adminPaths.previewLinks(id));
  }

  /** @param linkId null for all links of the post */
  withdrawPreviewLink(id: string, linkId: string | null): Promise<void> {
    const { previewLink, previewLinks } = adminPaths;
    return this.api.delete(linkId === null ? previewLinks(id) : previewLink(id, linkId));
  }

  /** Asks what links within this site lead to, without asking anybody for a password about that. */
  checkLinks(asked: readonly string[]): Promise<LinkCheckResult> {
    return this.api.post(`${adminPaths.deadLinks}/check`, { paths: asked }, BACKGROUND);
  }

  listRevisions(id: string, cursor: string | null): Promise<RevisionPage> {
    return this.api.get(adminPaths.revisions(id), { query: { cursor } });
  }

  findRevision(id: string, revisionId: string): Promise<Revision> {
    return this.api.get(adminPaths.revision(id, revisionId));
  }

  /**
   * Returns false for a post that is not there for who asks: removed for good, or given to somebody else. While the server
   * does not say so, a post counts as there.
   */
  async isThere(id: string): Promise<boolean> {
    try {
      await this.api.get(adminPaths.post(id), BACKGROUND);
      return true;
    } catch (error) {
      return !(error instanceof ApiError && error.code === 'post_not_found');
    }
  }

  /** Asks for the password if the session has ended; rejects when nobody gives it. */
  async ensureSession(): Promise<void> {
    await this.api.get(paths.api.me);
  }
}

/** Sorts the result of a call by its meaning for the version of the post. */
async function toAnswer(call: Promise<AdminPost | undefined>): Promise<Answer> {
  try {
    const post = await call;
    // An answer without a body is none of ours: nobody knows whether it arrived.
    return post === undefined ? { kind: 'unreachable' } : { kind: 'done', post };
  } catch (error) {
    return readFailure(error);
  }
}

function readFailure(error: unknown): Answer {
  if (error instanceof SessionExpiredError) return { kind: 'signed-out' };
  if (error instanceof UnreachableError) return { kind: 'unreachable' };
  // Took too long: it may have arrived all the same.
  if (error instanceof DOMException) return { kind: 'unreachable' };
  if (!(error instanceof ApiError)) return { kind: 'failed', message: describeError(error) };
  if (error.code === 'post_changed') return { kind: 'conflict', current: (error.body as PostConflict).current };
  if (error.status >= 500 || error.status === 429) return { kind: 'failed', message: error.message };
  const hasFields = Object.keys(error.fields).length > 0;
  const { free_slug: freeSlug } = (error.body ?? {}) as Partial<PostRefusal>;
  return {
    kind: 'refused',
    message: error.message,
    ...(hasFields ? { fields: error.fields } : {}),
    ...(freeSlug === undefined ? {} : { freeSlug }),
  };
}
