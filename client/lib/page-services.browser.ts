import type { PageServices } from '../../src/shared/contracts/pages.js';
import type { PostDetail, PostSummary } from '../../src/shared/contracts/posts.js';
import { paths } from '../../src/shared/paths.js';

async function fetchJson<T>(address: string): Promise<T | null> {
  const response = await fetch(address, { headers: { accept: 'application/json' } });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return (await response.json()) as T;
}

/** Page data over HTTP, for navigations in the browser. */
export const browserPageServices: PageServices = {
  listPosts: async () => (await fetchJson<PostSummary[]>(paths.api.posts)) ?? [],
  findPost: (slug) => fetchJson<PostDetail>(paths.api.post(slug)),
  findPreview: (token) => fetchJson<PostDetail>(paths.api.preview(token)),
};
