import { useEffect, useState } from 'react';
import type { SearchAnswer } from '../../../src/shared/contracts/search.js';
import { paths } from '../../../src/shared/paths.js';
import { fetchJson } from '../../lib/fetch-json.js';
import { logError } from '../../lib/log-error.js';
import { describeFinds, Marked } from './search-results.js';

/** How long to wait for the next key before searching. */
const TYPING_PAUSE_MS = 250;
const MOST = 6;

/** The best posts for what somebody has typed so far. What they see stays until the next answer is there. */
export function LiveResults({ typed }: { readonly typed: string }) {
  const [answer, setAnswer] = useState<SearchAnswer | null>(null);
  const query = typed.trim();
  useEffect(() => {
    let isWanted = true;
    const timer = setTimeout(() => {
      fetchJson<SearchAnswer>(paths.api.search(query)).then(
        (found) => isWanted && setAnswer(found),
        // The form still works.
        (error: unknown) => logError('The search did not answer:', error),
      );
    }, TYPING_PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [query]);
  const results = answer?.results ?? [];
  return (
    // Takes the focus of a press beside the links, and in Safari on them: nobody would have it, and the form would close.
    <div className={answer === null ? 'visually-hidden' : 'search-live'} tabIndex={-1}>
      {/* There before its words, or screen readers would not tell the first ones. */}
      <p className="quiet small" role="status">
        {answer === null ? '' : describeFinds(answer)}
      </p>
      {results.length === 0 ? null : (
        <ul role="list">
          {results.slice(0, MOST).map(({ slug, title }) => (
            <li key={slug}>
              <a href={paths.blog(slug)} dir="auto">
                <Marked parts={title} />
              </a>
            </li>
          ))}
        </ul>
      )}
      {answer !== null && (results.length > MOST || answer.has_more) ? (
        <a className="link" href={paths.search(answer.query)} data-full-load>
          All posts that were found
        </a>
      ) : null}
    </div>
  );
}
