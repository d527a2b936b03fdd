import type { MarkedText, SearchAnswer, SearchResult } from '../../../src/shared/contracts/search.js';
import { paths } from '../../../src/shared/paths.js';

/** Says in a sentence what a search found. */
export function describeFinds({ query, results, has_more, is_similar }: SearchAnswer): string {
  if (results.length === 0) return `No post has the words “${query}”.`;
  if (is_similar) return `No post has the words “${query}”. These titles are close:`;
  if (has_more) return `The best ${results.length} posts. Another word narrows them.`;
  return results.length === 1 ? 'One post' : `${results.length} posts`;
}

/**
 * A text whose found words are marked. Each part is an element: where a browser translates the page, React could not take
 * away a bare text with the next answer, and the page would go.
 */
export function Marked({ parts }: { readonly parts: readonly MarkedText[] }) {
  return parts.map(({ text, is_match: isMatch }, index) => {
    const Part = isMatch ? 'mark' : 'span';
    return <Part key={index}>{text}</Part>;
  });
}

/** Posts that a search found, as a list to read. */
export function SearchResults({ answer }: { readonly answer: SearchAnswer }) {
  return (
    <>
      <p className="search-count" role="status">
        {describeFinds(answer)}
      </p>
      <ol role="list" className="search-results">
        {answer.results.map((result) => (
          <Result key={result.slug} result={result} />
        ))}
      </ol>
    </>
  );
}

function Result({ result: { slug, title, text, category, author, published } }: { readonly result: SearchResult }) {
  return (
    <li>
      <h2 dir="auto">
        <a href={paths.blog(slug)}>
          <Marked parts={title} />
        </a>
      </h2>
      {text.length === 0 ? null : (
        <p className="quiet" dir="auto">
          <Marked parts={text} />
        </p>
      )}
      <p className="post-by">
        {`${author} · `}
        <time dateTime={published.iso}>{published.short}</time>
        {category ? ` · ${category}` : ''}
      </p>
    </li>
  );
}
