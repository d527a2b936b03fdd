import type { PageServices } from '../../src/shared/contracts/pages.js';
import type { PostDetail, PostSummary } from '../../src/shared/contracts/posts.js';
import { paths } from '../../src/shared/paths.js';
import { fetchJson } from './fetch-json.js';

/** Page data over HTTP, for navigations in the browser. */
export const browserPageServices: PageServices = {
  listPosts: async () => (await fetchJson<PostSummary[]>(paths.api.posts)) ?? [],
  findPost: (slug) => fetchJson<PostDetail>(paths.api.post(slug)),
  findPreview: (token) => fetchJson<PostDetail>(paths.api.preview(token)),
};
