import { Suspense } from 'react';
import { Await, useLoaderData, useSearchParams } from 'react-router-dom';
import type { SearchAnswer } from '../../../src/shared/contracts/search.js';
import { paths } from '../../../src/shared/paths.js';
import { Notice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { searchDrawing } from '../../content/drawings/search.js';
import { SearchForm } from '../../features/search/search-form.js';
import { SearchResults } from '../../features/search/search-results.js';
import { Head } from '../../lib/head.js';
import { LogFailure } from '../../lib/log-failure.js';
import { useArrival } from '../../lib/use-arrival.js';

interface SearchData {
  readonly result: SearchAnswer | Promise<SearchAnswer>;
  /** Why nothing was looked for, where the server did not. */
  readonly problem: string | null;
}

/** The search of the blog (product.md 2.15). */
export function Component() {
  const { result, problem } = useLoaderData<SearchData>();
  return (
    <>
      <PageHeader drawing={searchDrawing} title="Search the Blog" />
      <Suspense fallback={<p className="wrap list-note">Searching...</p>}>
        <Await resolve={result} errorElement={<FailedSearch />}>
          {(answer: SearchAnswer) => <Search key={answer.query} answer={answer} problem={problem} />}
        </Await>
      </Suspense>
    </>
  );
}

function Search({ answer, problem }: { readonly answer: SearchAnswer; readonly problem: string | null }) {
  const { query } = answer;
  useArrival();
  return (
    <>
      <Head
        title={query === '' ? 'Search the Blog' : `Search: ${query}`}
        description="Find posts by words in their title, their tags and their text."
        isHidden
      />
      <div className="wrap search-page">
        <SearchForm query={query} />
        {problem === null ? null : (
          <Notice>
            <p>{problem}</p>
          </Notice>
        )}
        {query === '' || problem !== null ? null : <SearchResults answer={answer} />}
        <p>
          <a className="link" href={paths.blogs}>
            All posts
          </a>
        </p>
      </div>
    </>
  );
}

/** Keeps the words in the field: to try again is to send them once more. */
function FailedSearch() {
  const [params] = useSearchParams();
  const answer = { query: params.get('q') ?? '', results: [], has_more: false, is_similar: false };
  return (
    <LogFailure what="The search did not answer:">
      <Search answer={answer} problem="The search did not answer. Please try again in a moment." />
    </LogFailure>
  );
}
