import { Suspense } from 'react';
import { Await, useLoaderData, useLocation } from 'react-router-dom';
import type { TermPage } from '../../../src/shared/contracts/blog-list.js';
import { paths } from '../../../src/shared/paths.js';
import { toTermFeedPath, toTermPath } from '../../../src/shared/term-addresses.js';
import { describeTerm, headingOf } from '../../../src/shared/term-words.js';
import { ButtonLink } from '../../components/button.js';
import { Icon } from '../../components/icon.js';
import { PageHeader } from '../../components/page-header.js';
import { signs } from '../../components/signs.js';
import { archiveDrawing } from '../../content/drawings/archive.js';
import type { Lines } from '../../features/posts/kept-lines.js';
import { PostGrid } from '../../features/posts/post-grid.js';
import { PostLoading } from '../../features/posts/post-loading.js';
import { SearchForm } from '../../features/search/search-form.js';
import { LostPage } from '../../features/shell/lost-page.js';
import { Head } from '../../lib/head.js';
import { LogFailure } from '../../lib/log-failure.js';
import { useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';

interface BlogTermData {
  readonly result: TermPage<Lines> | null | Promise<TermPage | null>;
}

/** The posts of a category, a tag or an author (product.md 2.17). */
export function Component() {
  const { result } = useLoaderData<BlogTermData>();
  const { pathname } = useLocation();
  return (
    <Suspense key={pathname} fallback={<PostLoading />}>
      <Await resolve={result} errorElement={<FailedTerm />}>
        {(page: TermPage<Lines> | null) => (page ? <FoundTerm page={page} /> : <MissingTerm />)}
      </Await>
    </Suspense>
  );
}

function FoundTerm({ page }: { readonly page: TermPage<Lines> }) {
  const site = useSite();
  const { kind, name, part } = page;
  const heading = headingOf(kind, name);
  const title = part === 1 ? heading : `${heading}, part ${part}`;
  const description = describeTerm(kind, name, site.name);
  const trail = [
    { name: 'Blogs', path: paths.blogs },
    { name: title, path: toTermPath(page, part) },
  ];
  return (
    <>
      <Head
        title={title}
        description={part === 1 ? description : `${description} Part ${part}.`}
        jsonLd={[toBreadcrumbs(site, trail)]}
      />
      <link rel="alternate" type="application/rss+xml" title={heading} href={toTermFeedPath(page, 'rss.xml')} />
      <link rel="alternate" type="application/feed+json" title={heading} href={toTermFeedPath(page, 'feed.json')} />
      <PageHeader drawing={archiveDrawing} title={title}>
        <a className="link post-back" href={paths.blogs}>
          <Icon shape={signs.back} />
          Back to Blogs
        </a>
        <SearchForm />
      </PageHeader>
      <div className="wrap post-list">
        <PostGrid list={page} />
        <Parts page={page} />
        <p className="post-list-feed">
          <a className="link" href={toTermFeedPath(page, 'rss.xml')}>
            <Icon shape={signs.feed} />
            RSS feed of these posts
          </a>
        </p>
      </div>
    </>
  );
}

function Parts({ page }: { readonly page: TermPage<Lines> }) {
  const { part, hasOlder } = page;
  if (part === 1 && !hasOlder) return null;
  return (
    <nav className="post-list-parts" aria-label="Parts of this list">
      {hasOlder ? (
        <a className="link" href={toTermPath(page, part + 1)}>
          Older posts
        </a>
      ) : null}
      {part > 1 ? (
        <a className="link" href={toTermPath(page, part - 1)}>
          Newer posts
        </a>
      ) : null}
    </nav>
  );
}

function MissingTerm() {
  return (
    <>
      <Head title="No Posts Found" description="There are no blog posts at this address." isHidden />
      <LostPage title="No Posts Found" text="There are no blog posts at this address.">
        <ButtonLink to={paths.blogs}>Back to Blogs</ButtonLink>
      </LostPage>
    </>
  );
}

function FailedTerm() {
  return (
    <LogFailure what="The blog posts could not be fetched:">
      <MissingTerm />
    </LogFailure>
  );
}
