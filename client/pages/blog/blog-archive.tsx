import { Suspense } from 'react';
import { Await, useLoaderData, useLocation } from 'react-router-dom';
import type { ArchivePage } from '../../../src/shared/contracts/blog-list.js';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { Icon } from '../../components/icon.js';
import { signs } from '../../components/signs.js';
import { PageHeader } from '../../components/page-header.js';
import { archiveDrawing } from '../../content/drawings/archive.js';
import { ArchiveYears } from '../../features/posts/archive-years.js';
import type { Lines } from '../../features/posts/kept-lines.js';
import { ArchiveLines, monthName, useLostLines } from '../../features/posts/post-archive.js';
import { PostLoading } from '../../features/posts/post-loading.js';
import { SearchForm } from '../../features/search/search-form.js';
import { LostPage } from '../../features/shell/lost-page.js';
import { Head } from '../../lib/head.js';
import { LogFailure } from '../../lib/log-failure.js';
import { useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';
import { useArrival } from '../../lib/use-arrival.js';

interface BlogArchiveData {
  readonly result: ArchivePage<Lines> | null | Promise<ArchivePage | null>;
}

/** Posts of a year, or of a month, that do not fit on the blog list (product.md 2.9). */
export function Component() {
  const { result } = useLoaderData<BlogArchiveData>();
  const { pathname } = useLocation();
  return (
    <Suspense key={pathname} fallback={<PostLoading />}>
      <Await resolve={result} errorElement={<FailedArchive />}>
        {(page: ArchivePage<Lines> | null) => (page ? <FoundArchive page={page} /> : <MissingArchive />)}
      </Await>
    </Suspense>
  );
}

function FoundArchive({ page }: { readonly page: ArchivePage<Lines> }) {
  const site = useSite();
  const archive = useLostLines<HTMLDivElement>();
  useArrival();
  const { year, month, part, parts } = page;
  const time = month === null ? year : `${monthName(month)} ${year}`;
  const title = `Posts of ${time}${parts > 1 ? `, part ${part} of ${parts}` : ''}`;
  const trail = [
    { name: 'Blogs', path: paths.blogs },
    { name: title, path: paths.archive({ year, month, part }) },
  ];
  return (
    <>
      <Head
        title={title}
        description={`What ${site.name} wrote in ${time} about IT and tech.`}
        jsonLd={[toBreadcrumbs(site, trail)]}
      />
      <PageHeader drawing={archiveDrawing} title={title}>
        <BackLink page={page} />
      </PageHeader>
      <div className="wrap archive archive-page" ref={archive}>
        <SearchForm />
        {page.months.length > 0 ? <Months page={page} /> : <ArchiveLines posts={page.posts} />}
        {parts > 1 ? <Parts page={page} /> : null}
        <ArchiveYears years={page.archive} current={month === null ? year : null} />
      </div>
    </>
  );
}

function BackLink({ page: { year, month } }: { readonly page: ArchivePage<Lines> }) {
  return (
    <a className="link post-back" href={month === null ? paths.blogs : paths.archive({ year })}>
      <Icon shape={signs.back} />
      {month === null ? 'Back to Blogs' : `Back to ${year}`}
    </a>
  );
}

/** The months of a year that has more posts than one page holds. */
function Months({ page: { year, months } }: { readonly page: ArchivePage<Lines> }) {
  return (
    <ul role="list" className="archive-lines">
      {months.map(({ month, count }) => (
        <li key={month}>
          <a href={paths.archive({ year, month })}>{monthName(month)}</a>
          <span className="quiet">{count === 1 ? '1 post' : `${count.toLocaleString('en-US')} posts`}</span>
        </li>
      ))}
    </ul>
  );
}

function Parts({ page: { year, month, part, parts } }: { readonly page: ArchivePage<Lines> }) {
  return (
    <nav aria-label="Parts of this month">
      <ul role="list" className="archive-parts">
        {Array.from({ length: parts }, (_, index) => index + 1).map((number) => (
          <li key={number}>
            <a
              className="link"
              href={paths.archive({ year, month, part: number })}
              aria-current={number === part ? 'page' : undefined}
            >
              Part {number}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function MissingArchive() {
  return (
    <>
      <Head title="No Posts Found" description="There are no blog posts of this time." isHidden />
      <LostPage title="No Posts Found" text="There are no blog posts of this time.">
        <ButtonLink to={paths.blogs}>Back to Blogs</ButtonLink>
      </LostPage>
    </>
  );
}

function FailedArchive() {
  return (
    <LogFailure what="The blog posts could not be fetched:">
      <MissingArchive />
    </LogFailure>
  );
}
