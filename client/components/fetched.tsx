import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FetchFailure } from './fetch-failure.js';

interface FetchedProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly messages: {
    readonly fetchFailed: { readonly title: string; readonly text: string };
    readonly loading: string;
  };
  readonly children: (data: Data) => ReactNode;
}

/** Shows data of a screen of the admin area that is fetched as a whole: until then that it loads, and what failed, with a way to try again. */
export function Fetched<Data>({ query, messages, children }: FetchedProps<Data>) {
  const { data, isPending, isPaused, isFetching, isPlaceholderData } = query;
  // Data of another filter would look like those that wait for a network.
  const isShown = data !== undefined && !(isPaused && isPlaceholderData);
  return (
    <div aria-busy={isFetching}>
      <FetchFailure query={query} message={messages.fetchFailed} isListShown={isShown} />
      {isPending && !isPaused ? (
        <p role="status" className="list-note">
          {messages.loading}
        </p>
      ) : null}
      {isShown ? children(data) : null}
    </div>
  );
}
