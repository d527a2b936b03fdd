import { useId, type ReactNode } from 'react';
import type { OverviewPart } from '../../../src/shared/contracts/overview.js';
import { Notice } from '../../components/notice.js';
import { countMore } from '../../content/count-more.js';
import { describeFailure } from '../../content/overview.js';

interface PartProps {
  readonly part: OverviewPart;
  readonly words: { readonly title: string; readonly none: string; readonly all?: string };
  /** The address of all of it. */
  readonly to?: string;
  readonly hasFailed: boolean;
  readonly count: number;
  /** How many of them the children show. */
  readonly shown: number;
  readonly children: ReactNode;
}

/** One part of the start page: what there is, that there is nothing, or that it could not be looked up. */
export function Part({ part, words, to, hasFailed, count, shown, children }: PartProps) {
  const id = useId();
  const more = countMore(shown, count);
  return (
    <section className={`panel overview-${part}`} aria-labelledby={id}>
      <div className="overview-head">
        <h2 id={id}>
          {words.title}
          {count > 0 ? <span className="quiet numeric"> {count.toLocaleString('en-US')}</span> : null}
        </h2>
        {to ? (
          <a className="link" href={to}>
            {words.all}
          </a>
        ) : null}
      </div>
      {hasFailed ? (
        <Notice kind="error">
          <p>{describeFailure(part)}</p>
        </Notice>
      ) : count === 0 ? (
        <p className="quiet">{words.none}</p>
      ) : (
        children
      )}
      {more && !hasFailed ? <p className="quiet small">{more}</p> : null}
    </section>
  );
}
