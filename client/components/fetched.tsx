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
  const { data, error, isPending, isFetching, refetch } = query;
  return (
    <div aria-busy={isFetching}>
      <FetchFailure
        error={error}
        message={messages.fetchFailed}
        isListShown={data !== undefined}
        onRetry={() => void refetch()}
      />
      {isPending ? (
        <p role="status" className="list-note">
          {messages.loading}
        </p>
      ) : null}
      {data === undefined ? null : children(data)}
    </div>
  );
}
