import { useEffect, useRef, type RefObject } from 'react';
import { useRevalidator } from 'react-router-dom';
import type { ArchiveYear } from '../../../src/shared/contracts/blog-list.js';
import { paths } from '../../../src/shared/paths.js';
import type { Lines } from './kept-lines.js';

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'];
const MONTH_NAMES = [...MONTHS, 'November', 'December'];

/** The name of a month by its two digits. */
export function monthName(month: string): string {
  return MONTH_NAMES[Number(month) - 1] ?? month;
}

/** The posts that are older than the cards, by year. */
export function PostArchive({ years }: { readonly years: readonly ArchiveYear<Lines>[] }) {
  const archive = useLostLines<HTMLElement>();
  if (years.length === 0) return null;
  return (
    <section className="archive" aria-labelledby="older-posts" ref={archive}>
      <h2 id="older-posts">Older posts</h2>
      {years.map(({ year, posts, total }) => (
        <section key={year} aria-labelledby={`year-${year}`}>
          <h3 id={`year-${year}`}>{year}</h3>
          {posts?.length === 0 ? null : <ArchiveLines posts={posts} />}
          {total > 0 ? (
            <p>
              <a className="link" href={paths.archive({ year })}>
                {`${total === 1 ? 'The one post' : `All ${total.toLocaleString('en-US')} posts`} of ${year}`}
              </a>
            </p>
          ) : null}
        </section>
      ))}
    </section>
  );
}

/** Tells React not to look into an element. It has to be the same object each time, or the element is emptied. */
const AS_SENT = { __html: '' };

/**
 * Posts as lines: date and title. A page may have a thousand of them, so they stand in it as HTML only: nothing in them
 * needs React, which leaves alone what the server sent. Their elements are few for the same reason.
 */
export function ArchiveLines({ posts }: { readonly posts: Lines }) {
  if (posts === null) {
    return (
      <ul
        key="as-sent"
        role="list"
        className="archive-lines"
        suppressHydrationWarning
        dangerouslySetInnerHTML={AS_SENT}
      />
    );
  }
  return (
    <ul key="drawn" role="list" className="archive-lines">
      {posts.map(([slug, title, day]) => (
        <li key={slug}>
          {`${describeDay(day)} `}
          <a href={paths.blog(slug)}>{title}</a>
        </li>
      ))}
    </ul>
  );
}

/**
 * Loads the page's data when lines are missing: a page that could not be hydrated is drawn anew by React, without what the
 * server had sent.
 * @returns for the element around the lines
 */
export function useLostLines<T extends Element>(): RefObject<T | null> {
  const element = useRef<T>(null);
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (element.current?.querySelector('.archive-lines:empty')) void revalidate();
  }, [revalidate]);
  return element;
}

/** 'Mar 4' of '03-04'. */
function describeDay(day: string): string {
  const [month = '', date = ''] = day.split('-');
  return `${monthName(month).slice(0, 3)} ${Number(date)}`;
}
