import { useCallback, useEffect, useRef } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';

/** Returns the parameters from what they are now, with those asked for last. */
type ChangeParams = (change: (now: URLSearchParams) => URLSearchParams) => void;

/**
 * The parameters in the address of the page, and a way to change them without a step of the history. The router shows a
 * change a moment later, and hands the next one what it shows: one that comes at once goes on here from what was asked
 * for, or it would take the former back.
 */
export function useAddressParams(): readonly [URLSearchParams, ChangeParams] {
  const { key } = useLocation();
  const [params, setParams] = useSearchParams();
  const shown = params.toString();
  /** Asked for and not shown yet, the latest last. */
  const asked = useRef<readonly string[]>([]);
  const current = useRef({ shown, setParams });

  useEffect(() => {
    current.current = { shown, setParams };
    // One that another one has overtaken is never shown; what nobody asked for here is a link, or a step back.
    const place = asked.current.lastIndexOf(shown);
    asked.current = place < 0 ? [] : asked.current.slice(place + 1);
  }, [key, shown, setParams]);

  const change = useCallback<ChangeParams>((next) => {
    const now = asked.current.at(-1) ?? current.current.shown;
    const wanted = next(new URLSearchParams(now));
    if (wanted.toString() === now) return;
    asked.current = [...asked.current, wanted.toString()];
    current.current.setParams(wanted, { replace: true });
  }, []);

  return [params, change];
}
