import { paths } from '../shared/paths.js';
import { describeHolder } from './import-decision.js';
import type { ImportDraft } from './import-draft.js';
import type { ImportParts, Ready } from './import-work.js';
import type { ImportedPost, PostWrite } from './imported-posts.service.js';
import { sourceOfKey } from './source-name.js';

/** Settles where the addresses lead that posts had on their old site. */
export class OldAddresses {
  constructor(private readonly parts: Pick<ImportParts, 'redirects' | 'posts' | 'actor'>) {}

  /** Finds out which old addresses will lead to the posts, and notes why others will not. */
  async settle(writes: readonly Ready[]): Promise<void> {
    const inputs = writes.flatMap(({ work, write }) =>
      (write.oldPaths ?? []).map((path) => ({ work, path, target: paths.blog(work.draft.fields.slug) })),
    );
    if (inputs.length === 0) return;
    const results = await this.parts.redirects.predict(inputs);
    for (const [index, { path, target, reason, outcome }] of results.entries()) {
      const { work, path: written } = inputs[index] ?? {};
      if (work === undefined || written === undefined || path === target) continue;
      const holder = outcome === 'changed' ? await this.findHolder(path, work.draft) : null;
      if (holder !== null) {
        work.oldPaths = work.oldPaths.filter((other) => other !== written);
        work.warnings = [...work.warnings, `the old address ${path} leads to ${describeHolder(holder)}, already`];
        continue;
      }
      if (reason === null) work.redirects = [...work.redirects, path];
      else work.warnings = [...work.warnings, `the old address ${path} does not lead here: ${reason}`];
    }
  }

  /** The post of another source, or of this site, that an old address leads to. */
  private async findHolder(path: string, draft: ImportDraft): Promise<ImportedPost | null> {
    const redirect = await this.parts.redirects.find(path);
    const slug = redirect?.path == null ? null : slugOfPath(redirect.path);
    if (slug === null) return null;
    const search = { sourceKeys: [], slugs: [slug] };
    const [post] = await this.parts.posts.findForImportIncludingDrafts(this.parts.actor, search);
    if (post === undefined || post.sourceKey === draft.sourceKey) return null;
    const isOurs = post.sourceKey != null && sourceOfKey(post.sourceKey) === sourceOfKey(draft.sourceKey);
    return isOurs || draft.post.formerKeys?.includes(post.sourceKey ?? '') === true ? null : post;
  }
}

/** Returns the write with the old addresses that are left to it. */
export function withPaths(write: PostWrite, oldPaths: readonly string[]): PostWrite {
  return write.oldPaths === undefined ? write : { ...write, oldPaths };
}

/** Null for paths that are none of a post. */
function slugOfPath(path: string): string | null {
  const start = paths.blog('');
  return path.startsWith(start) && path.length > start.length ? decodeURIComponent(path.slice(start.length)) : null;
}
