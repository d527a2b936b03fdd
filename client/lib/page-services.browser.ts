import type { PageServices } from '../../src/shared/contracts/pages.js';
import type { ArchivePage, BlogList, TermPage } from '../../src/shared/contracts/blog-list.js';
import type { PostDetail } from '../../src/shared/contracts/posts.js';
import type { SearchAnswer } from '../../src/shared/contracts/search.js';
import { paths } from '../../src/shared/paths.js';
import { fetchJson } from './fetch-json.js';

/** Page data over HTTP, for navigations in the browser. */
export const browserPageServices: PageServices = {
  listPosts: async () => (await fetchJson<BlogList>(paths.api.blog)) ?? { posts: [], years: [], archive: [] },
  findListing: (kind, rest) =>
    fetchJson<ArchivePage | TermPage>([paths.api.blog, kind, ...rest.map(encodeURIComponent)].join('/')),
  findPost: (slug) => fetchJson<PostDetail>(paths.api.post(slug)),
  search: async (query) =>
    (await fetchJson<SearchAnswer>(paths.api.search(query))) ?? {
      query,
      results: [],
      has_more: false,
      is_similar: false,
    },
  findPreview: (token) => fetchJson<PostDetail>(paths.api.preview(token)),
};
