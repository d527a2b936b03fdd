import { useEffect, type ReactNode } from 'react';
import { useAsyncError } from 'react-router-dom';
import { logError } from './log-error.js';

interface LogFailureProps {
  /** The failure in words, for the console. */
  readonly what: string;
  /** Content shown to the visitor instead. */
  readonly children: ReactNode;
}

/** The `errorElement` of an Await: logs why its promise failed. */
export function LogFailure({ what, children }: LogFailureProps) {
  const error = useAsyncError();
  useEffect(() => {
    logError(what, error);
  }, [what, error]);
  return children;
}
