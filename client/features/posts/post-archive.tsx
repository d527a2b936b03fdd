import type { ArchiveLine, ArchiveYear } from '../../../src/shared/contracts/blog-list.js';
import { paths } from '../../../src/shared/paths.js';

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'];
const MONTH_NAMES = [...MONTHS, 'November', 'December'];

/** The name of a month by its two digits. */
export function monthName(month: string): string {
  return MONTH_NAMES[Number(month) - 1] ?? month;
}

/** The posts that are older than the cards, by year. */
export function PostArchive({ years }: { readonly years: readonly ArchiveYear[] }) {
  if (years.length === 0) return null;
  return (
    <section className="archive" aria-labelledby="older-posts">
      <h2 id="older-posts">Older posts</h2>
      {years.map(({ year, posts, total }) => (
        <section key={year} aria-labelledby={`year-${year}`}>
          <h3 id={`year-${year}`}>{year}</h3>
          {posts.length > 0 ? <ArchiveLines year={year} posts={posts} /> : null}
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

interface ArchiveLinesProps {
  readonly year: string;
  readonly posts: readonly ArchiveLine[];
}

/** Posts as lines: date and title. */
export function ArchiveLines({ year, posts }: ArchiveLinesProps) {
  return (
    <ul role="list" className="archive-lines">
      {posts.map(([slug, title, day]) => (
        <li key={slug}>
          <time dateTime={`${year}-${day}`}>{describeDay(day)}</time>
          <a href={paths.blog(slug)}>{title}</a>
        </li>
      ))}
    </ul>
  );
}

/** 'Mar 4' of '03-04'. */
function describeDay(day: string): string {
  const [month = '', date = ''] = day.split('-');
  return `${monthName(month).slice(0, 3)} ${Number(date)}`;
}
