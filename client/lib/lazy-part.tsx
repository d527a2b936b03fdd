import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { logError } from './log-error.js';

/**
 * A part of the page that is loaded when it is first rendered, and shows nothing until then. If it cannot be loaded, the
 * failure is logged and `Instead` is shown: it must not break the page. Not for server-rendered parts.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Instead: ComponentType<P> = Nothing,
): (props: P) => ReactNode {
  const Part = lazy<ComponentType<P>>(() =>
    load().then(
      (loaded) => ({ default: loaded }),
      (error: unknown) => {
        logError('A part of the page could not be loaded:', error);
        return { default: Instead };
      },
    ),
  );
  return function LazyPart(props) {
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    );
  };
}

function Nothing() {
  return null;
}
