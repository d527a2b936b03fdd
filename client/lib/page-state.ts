import type { PostDetail, PostSummary } from '../../src/shared/contracts/posts.js';
import type { Markup } from './markup.js';

/** Id of the element that holds a post's text. */
export const POST_TEXT_ID = 'post-text';

/** Replaces a list that is in the page's HTML already. */
export const IN_PAGE = 'in-page';
export type InPage = typeof IN_PAGE;

type LoaderData = Readonly<Record<string, unknown>>;

/** Result of the loaders of posts and lists (client/routes.tsx). */
interface Loaded {
  readonly result: readonly PostSummary[] | PostDetail | InPage | null;
}

function isLoaded(data: unknown): data is Loaded {
  return typeof data === 'object' && data !== null && 'result' in data;
}

/**
 * Removes from the loaders' data the parts that the page's HTML contains: the cards of a list, and the text of a post.
 * @param writeCards writes the HTML of a list
 */
export function packLoaderData(
  loaderData: LoaderData,
  writeCards: (posts: readonly PostSummary[]) => Markup,
): { readonly loaderData: LoaderData; readonly inPage: string } {
  let inPage = '';
  const packed = mapResults(loaderData, (result) => {
    if (isList(result) && result.length > 0) {
      inPage += writeCards(result).html;
      return IN_PAGE;
    }
    if (!isPost(result)) return result;
    inPage += result.content;
    return { ...result, content: '' };
  });
  return { loaderData: packed, inPage };
}

/** Puts the text of a post back from the page. The cards of a list are never needed as data. */
export function unpackLoaderData(loaderData: LoaderData, page: Document): LoaderData {
  return mapResults(loaderData, (result) =>
    isPost(result) ? { ...result, content: page.getElementById(POST_TEXT_ID)?.innerHTML ?? '' } : result,
  );
}

function isList(result: Loaded['result']): result is readonly PostSummary[] {
  return Array.isArray(result);
}

function isPost(result: Loaded['result']): result is PostDetail {
  return typeof result === 'object' && result !== null && 'content' in result;
}

function mapResults(loaderData: LoaderData, change: (result: Loaded['result']) => Loaded['result']): LoaderData {
  const entries = Object.entries(loaderData).map(([id, data]): [string, unknown] =>
    isLoaded(data) ? [id, { ...data, result: change(data.result) }] : [id, data],
  );
  return Object.fromEntries(entries);
}
