import { Suspense } from 'react';
import { Await, useLoaderData } from 'react-router-dom';
import type { BlogList } from '../../../src/shared/contracts/blog-list.js';
import { blogsTexts } from '../../../src/shared/contracts/page-texts/blogs.js';
import { paths } from '../../../src/shared/paths.js';
import { Icon } from '../../components/icon.js';
import { signs } from '../../components/signs.js';
import { PageHeader } from '../../components/page-header.js';
import { blogDrawing } from '../../content/drawings/blog.js';
import { ArchiveYears } from '../../features/posts/archive-years.js';
import type { Lines } from '../../features/posts/kept-lines.js';
import { PostGrid } from '../../features/posts/post-grid.js';
import { SearchForm } from '../../features/search/search-form.js';
import { Head } from '../../lib/head.js';
import { LogFailure } from '../../lib/log-failure.js';
import { usePageTexts } from '../../lib/page-texts.js';
import { useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';

interface BlogListData {
  readonly result: BlogList<Lines> | Promise<BlogList>;
}

/** Blog listing (product.md 2.9): every published post, newest first. */
export function Component() {
  const site = useSite();
  const texts = usePageTexts(blogsTexts);
  const { result } = useLoaderData<BlogListData>();
  return (
    <>
      <Head
        title={texts.title}
        description={texts.description}
        jsonLd={[toBreadcrumbs(site, [{ name: 'Blogs', path: paths.blogs }])]}
      />
      <PageHeader drawing={blogDrawing} title={texts.title} lede={texts.lede}>
        <SearchForm />
      </PageHeader>
      <div className="wrap post-list">
        <Suspense fallback={<ListNote>Loading blog posts...</ListNote>}>
          <Await resolve={result} errorElement={<FailedList />}>
            {(list: BlogList<Lines>) => <PostList list={list} />}
          </Await>
        </Suspense>
        <p className="post-list-feed">
          <a className="link" href={paths.rss}>
            <Icon shape={signs.feed} />
            RSS feed
          </a>
        </p>
      </div>
    </>
  );
}

function PostList({ list }: { readonly list: BlogList<Lines> }) {
  if (list.posts.length === 0) return <ListNote>No blog posts available yet. Check back soon!</ListNote>;
  return (
    <>
      <PostGrid list={list} />
      {list.archive.length > 1 ? <ArchiveYears years={list.archive} /> : null}
    </>
  );
}

/** A list that could not be fetched stays empty (product.md 2.9). */
function FailedList() {
  return (
    <LogFailure what="The blog posts could not be fetched:">
      <PostList list={{ posts: [], years: [], archive: [] }} />
    </LogFailure>
  );
}

function ListNote({ children }: { readonly children: string }) {
  return (
    <p className="list-note" role="status">
      {children}
    </p>
  );
}
