import type { RedirectInput } from '../shared/contracts/redirects.js';
import { pathOfName, toTermSlug } from '../shared/term-addresses.js';
import type { ImportDraft } from './import-draft.js';
import type { ImportParts, Ready } from './import-work.js';
import { whyWithheld } from './publication.js';
import type { OldList } from './source-post.js';

/** Settles where the lists of the old site lead: those of categories, tags and authors, to the ones of this site. */
export class OldLists {
  /** Targets by path, of this run, which a dry run does not write. */
  private readonly settled = new Map<string, string>();
  /** Paths with their targets that were asked for already. */
  private readonly asked = new Set<string>();

  constructor(private readonly parts: Pick<ImportParts, 'redirects'>) {}

  /**
   * Finds out which lists will lead on. Redirects that exist stay, and so do the addresses of posts; that of a category which was a tag of
   * an earlier post leads to the category.
   */
  async settle(writes: readonly Ready[]): Promise<void> {
    const wanted = writes.flatMap(({ work }) =>
      listsOf(work.draft).flatMap((input) => (this.asked.has(keyOf(input)) ? [] : [{ work, input }])),
    );
    if (wanted.length === 0) return;
    const ofPosts = new Set(writes.flatMap(({ work }) => work.redirects));
    // One for each address: the same one twice would be refused.
    const chosen = new Map<string, (typeof wanted)[number]>();
    for (const one of wanted) {
      const other = chosen.get(one.input.path);
      if (other === undefined || isCategoryOf(one.input.target, other.input.target)) chosen.set(one.input.path, one);
    }
    const inputs = [...chosen.values()];
    const results = await this.parts.redirects.predict(inputs.map(({ input }) => input));
    for (const [index, { path, target, outcome, reason }] of results.entries()) {
      const { work, input } = inputs[index] ?? {};
      if (work === undefined || input === undefined || ofPosts.has(path)) continue;
      const current = outcome === 'changed' ? await this.currentTarget(path) : null;
      const isFree = outcome === 'created' || (current !== null && isCategoryOf(target, current));
      this.asked.add(keyOf(input));
      if (isFree) this.settled.set(path, target);
      if (isFree) work.lists = [...work.lists, { path, target }];
      else if (outcome === 'changed') work.warnings = [...work.warnings, `the list ${path} leads elsewhere already`];
      else if (reason !== null) work.warnings = [...work.warnings, `the list ${path} does not lead on: ${reason}`];
    }
  }

  private async currentTarget(path: string): Promise<string | null> {
    const found = this.settled.get(path) ?? (await this.parts.redirects.find(path))?.target;
    return found ?? null;
  }
}

function keyOf({ path, target }: RedirectInput): string {
  return `${path} ${target}`;
}

/** The lists of the old site that have this post, with those here. What nobody could read there has no name in public. */
function listsOf({ post, fields }: ImportDraft): RedirectInput[] {
  if (post.oldLists === undefined || whyWithheld(post) !== undefined) return [];
  const tags = new Set((fields.tags ?? []).map(toTermSlug));
  return post.oldLists.flatMap(({ path, kind, name }) => {
    const slug = toTermSlug(name);
    const isCategory = slug !== null && toTermSlug(fields.category ?? '') === slug;
    const isHere = kind === 'author' ? slug === toTermSlug(fields.author) : isCategory || tags.has(slug);
    const isOfTags = kind === 'tag' ? tags.has(slug) : !isCategory;
    const target = isHere ? pathOfName(kind === 'author' ? kind : isOfTags ? 'tag' : 'category', name) : null;
    return target === null ? [] : [{ path, target }];
  });
}

/** Returns true for the address of a category whose other one is that of a tag of the same name. */
function isCategoryOf(target: string, other: string): boolean {
  return target.startsWith('/blogs/category/') && other === target.replace('/category/', '/tag/');
}

/** Names of lists as the operator wants them; those without one go. */
export function renameLists(lists: readonly OldList[], toName: (list: OldList) => string): OldList[] {
  return lists.map((list) => ({ ...list, name: toName(list) })).filter(({ name }) => name !== '');
}
