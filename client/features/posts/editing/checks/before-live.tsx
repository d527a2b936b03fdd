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

interface BeforeLiveProps {
  readonly fields: PostForm;
  /** Puts the focus where it is put right. */
  readonly onShow: (check: PostCheck) => void;
}

/** Lists what readers and search engines would trip over. It holds nothing back. */
export function BeforeLive({ fields, onShow }: BeforeLiveProps) {
  const checks = useChecks(fields);
  if (fields.content === '') return null;
  return (
    <section className="panel side-panel checks" aria-label="Before it goes live">
      <Disclosure summary={describeCount(checks.length)}>
        {checks.length === 0 ? (
          <p className="small quiet">Pictures, headings, links, tables and texts for search results are in order.</p>
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
      </Disclosure>
    </section>
  );
}

function describeCount(count: number): string {
  if (count === 0) return 'Before it goes live: all is well';
  return `Before it goes live: ${count === 1 ? '1 hint' : `${count} hints`}`;
}

/** Typing does not wait for them; links are asked about when there are others than before. */
function useChecks(fields: PostForm): readonly PostCheck[] {
  const api = usePostApi();
  const { url } = useSite();
  const shown = useDeferredValue(fields);
  const paths = useMemo(() => findInnerPaths(shown, url).slice(0, LINKS_MAX), [shown, url]);
  const { data } = useQuery({
    queryKey: ['links', paths],
    queryFn: () => api.checkLinks(paths),
    enabled: paths.length > 0,
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });
  return useMemo(() => {
    const states: Record<string, LinkState> = Object.fromEntries(
      data?.links.map(({ path, state }) => [path, state]) ?? [],
    );
    return checkBeforeLive(shown, states, url);
  }, [shown, data, url]);
}
