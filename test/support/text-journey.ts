import { toPlainText } from '../../src/posts/content/plain-text.js';
import type { AdminPost, Revision, RevisionPage } from '../../src/shared/contracts/admin-posts.js';
import type { PostDetail } from '../../src/shared/contracts/posts.js';
import { buildForm, type Administrator } from './admin-posts.js';
import type { TestApp } from './create-test-app.js';

/** Says whether a post can have a text: it shows words, and no picture of another site. */
export function canBeSaved(html: string): boolean {
  return toPlainText(html) !== '' && !/<img src="https?:/.test(html);
}

/** A place at which a text was not what had been written. */
export interface Difference {
  readonly place: string;
  readonly written: string;
  readonly found: string;
}

const blocks =
  /<(?:p|h[2-6]|ul|ol|li|dl|dt|dd|table|caption|thead|tbody|tfoot|tr|t[dh]|pre|blockquote|details|summary|hr|figure(?: class="[^"]*")?|figcaption)(?=[ >])/g;

/** The name of its language, which pages put above code. */
const codeHeads = /<p class="code-head">[^<]*<\/p>/g;

/**
 * Publishes a text, saves another one over it, restores it from its version and duplicates it.
 * @returns where it was not the same: to the letter for writers, in words and blocks for readers
 */
export async function followText(
  app: TestApp,
  writer: Administrator,
  text: string,
  slug: string,
): Promise<readonly Difference[]> {
  const differences: Difference[] = [];
  const compare = (place: string, written: string, found: string) => {
    if (written !== found) differences.push({ place, written, found });
  };
  const call = async <T = AdminPost>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<T> => {
    const answer = await writer.call<T>(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.body;
  };
  const post = await call('POST', '/posts', { ...buildForm({ slug, content: text }), is_published: true });
  compare('saved', text, post.saved.content);

  const answer = await app.inject({ method: 'GET', url: `/api/posts/${slug}` });
  const shown = answer.json<PostDetail>().content.replace(codeHeads, '');
  compare('words for readers', '', missingWords(text, shown));
  compare('blocks for readers', blocksOf(text), blocksOf(shown.replace(/<section class="post-notes"[\s\S]*$/, '')));

  const other = { ...post.saved, content: '<p>Another text.</p>', version: post.version };
  const changed = await call('PUT', `/posts/${post.id}`, other);
  const { items } = await call<RevisionPage>('GET', `/posts/${post.id}/revisions`);
  const first = await call<Revision>('GET', `/posts/${post.id}/revisions/${items.at(-1)?.id}`);
  const restored = { ...first.fields, restored_from: first.id, version: changed.version };
  compare('restored', text, (await call('PUT', `/posts/${post.id}`, restored)).saved.content);
  compare('duplicated', text, (await call('POST', `/posts/${post.id}/duplicate`)).saved.content);
  return differences;
}

/** The words that are written more often than they are shown; a formula is drawn, and code is colored in pieces. */
function missingWords(written: string, shown: string): string {
  const left = wordsOf(shown);
  const isMissing = (word: string) => {
    const place = left.indexOf(word);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  };
  return wordsOf(written.replace(/<span class="ql-formula"[^>]*>[^<]*<\/span>/g, ' '))
    .filter(isMissing)
    .join(' ');
}

/** Elements end words here, so that a number put in does not become a part of one. */
function wordsOf(html: string): string[] {
  const code = html.match(/<pre[\s\S]*?<\/pre>/g) ?? [];
  const text = html.replace(/<pre[\s\S]*?<\/pre>/g, ' ').replaceAll('<', ' <');
  return toPlainText([text, ...code].join(' ')).match(/[\p{L}\p{N}]+/gu) ?? [];
}

function blocksOf(html: string): string {
  return (html.match(blocks) ?? []).join('');
}
