import { useDeferredValue, useMemo } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { PostForm } from '../../../../../src/shared/contracts/admin-posts.js';
import { LINKS_MAX, type LinkState } from '../../../../../src/shared/link-state.js';
import { Button } from '../../../../components/button.js';
import { Disclosure } from '../../../../components/disclosure.js';
import { useSite } from '../../../../lib/site-context.js';
import { usePostApi } from '../use-saver.js';
import { checkBeforeLive, findInnerPaths, type PostCheck } from './post-checks.js';

/** Links that are looked at again after this long: a draft may have been published meanwhile. */
const FRESH_MS = 60_000;

/** How far links, and pictures that this site stores, were looked at; what was not is never called well. */
type LookedAt = 'all' | 'not-yet' | 'failed';

/** After 'links and pictures'. */
const lookedAtWords: Readonly<Record<LookedAt, string | null>> = {
  all: null,
  'not-yet': 'are being looked at...',
  failed: 'could not be looked at',
};

interface BeforeLiveProps {
  readonly fields: PostForm;
  /** Puts the focus where it is put right. */
  readonly onShow: (check: PostCheck) => void;
}

/** Lists what readers and search engines would trip over. It holds nothing back. */
export function BeforeLive({ fields, onShow }: BeforeLiveProps) {
  const { checks, lookedAt, lookAgain } = useChecks(fields);
  if (fields.content === '') return null;
  const words = lookedAtWords[lookedAt];
  return (
    <section className="panel side-panel checks" aria-label="Before it goes live">
      <Disclosure summary={describeState(checks.length, words)}>
        {checks.length === 0 ? (
          <p className="small quiet">
            {words === null
              ? 'Pictures, headings, links, tables and texts for search results are in order.'
              : 'Headings, tables and texts for search results are in order.'}
          </p>
        ) : (
          <ul role="list">
            {checks.map((check, index) => (
              <li key={index}>
                <p>{check.problem}</p>
                <p className="small quiet">{check.remedy}</p>
                <Button kind="line" isSmall onClick={() => onShow(check)}>
                  Show<span className="visually-hidden">: {check.problem}</span>
                </Button>
              </li>
            ))}
          </ul>
        )}
        {words === null ? null : <p className="small quiet">{`Links and pictures ${words}`}</p>}
        {lookedAt === 'failed' ? (
          <Button kind="line" isSmall onClick={lookAgain}>
            Try again
          </Button>
        ) : null}
      </Disclosure>
    </section>
  );
}

function describeState(count: number, words: string | null): string {
  if (count === 0) return `Before it goes live: ${words === null ? 'all is well' : `links and pictures ${words}`}`;
  return `Before it goes live: ${count === 1 ? '1 hint' : `${count} hints`}`;
}

/** Typing does not wait for them; links are asked about when there are others than before. */
function useChecks(fields: PostForm) {
  const api = usePostApi();
  const { url } = useSite();
  const shown = useDeferredValue(fields);
  const paths = useMemo(() => findInnerPaths(shown, url).slice(0, LINKS_MAX), [shown, url]);
  const { data, isError, isPaused, isPlaceholderData, refetch } = useQuery({
    queryKey: ['links', paths],
    queryFn: () => api.checkLinks(paths),
    enabled: paths.length > 0,
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });
  const checks = useMemo(() => {
    const states: Record<string, LinkState> = Object.fromEntries(
      data?.links.map(({ path, state }) => [path, state]) ?? [],
    );
    return checkBeforeLive(shown, states, url);
  }, [shown, data, url]);
  const isKnown = paths.length === 0 || (data !== undefined && !isPlaceholderData);
  const lookedAt: LookedAt = paths.length > 0 && (isError || isPaused) ? 'failed' : isKnown ? 'all' : 'not-yet';
  return { checks, lookedAt, lookAgain: () => void refetch() };
}
