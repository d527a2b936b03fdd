import { Suspense, type ReactNode } from 'react';
import { Await } from 'react-router-dom';

interface LoadedProps<T> {
  /** On the server, and in a page that came from it, the data itself. */
  readonly data: T | Promise<T>;
  readonly fallback: ReactNode;
  /** Shown when the data could not be loaded. */
  readonly failure: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/**
 * Shows what a loader found: at once if it is there, else when it comes. What the server renders has no Suspense boundary,
 * as inside of one React's renderToString keeps the error of a component to itself (docs/decisions/0052).
 */
export function Loaded<T>({ data, fallback, failure, children }: LoadedProps<T>) {
  if (!(data instanceof Promise)) return children(data);
  return (
    <Suspense fallback={fallback}>
      <Await resolve={data} errorElement={failure}>
        {children}
      </Await>
    </Suspense>
  );
}
