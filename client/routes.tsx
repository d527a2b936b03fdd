import { redirectDocument, type LoaderFunction, type Params, type RouteObject } from 'react-router-dom';
import type { PageEdits } from '../src/shared/contracts/page-texts/page-edits.js';
import type { PageContext, PageServices } from '../src/shared/contracts/pages.js';
import { paths } from '../src/shared/paths.js';
import { sitePages, type SitePageName } from '../src/shared/site-pages.js';
import { App, AppFailure, Root } from './app.js';
import { splitArchivePage, splitBlogList } from './features/posts/kept-lines.js';
import { LostPartError } from './lib/lost-part.js';
import type { SplitData } from './lib/split-data.js';

/** Facts about a route for the server, such as its HTTP status and the module whose chunks the page preloads. */
export interface RouteHandle {
  readonly status?: number;
  /** True when search engines and shared caches should leave the page alone. */
  readonly isHidden?: boolean;
  /** True when the page does nothing without scripts, which then start before it is painted. */
  readonly startsAtOnce?: boolean;
  /** True when the document names style sheet and first script as files: browsers keep them for the next visit. */
  readonly namesFiles?: boolean;
  /** True in a browser when it has to load the page's own document, which alone has the texts of an edited page. */
  readonly isElsewhere?: boolean;
  /** Path of the page's module from the repository's root, as the bundle's manifest names it. */
  readonly module: string;
  /** Address of the page's data for the browser; only for data small enough to be fetched ahead. */
  readonly dataAddress?: (params: Params) => string;
  /** Leaves data out of the page that its browser does not need to hydrate it. */
  readonly splitData?: (data: never) => SplitData;
}

interface PageData {
  readonly loader: LoaderFunction;
  readonly handle?: Omit<RouteHandle, 'module'>;
}

export interface PageModule {
  readonly Component: () => React.ReactNode;
}

/** Vite needs every import spelled out to split the bundle; the same path names the chunk in the manifest. */
const pageModules = import.meta.glob<PageModule>('./pages/{site,blog,account}/*.tsx');

function page(file: string, handle: Omit<RouteHandle, 'module'> = {}) {
  const importPage = pageModules[`./pages/${file}.tsx`];
  if (!importPage) throw new Error(`There is no page client/pages/${file}.tsx`);
  return {
    lazy: () => importPage().catch(throwLost),
    handle: { module: `client/pages/${file}.tsx`, ...handle } satisfies RouteHandle,
  };
}

/** The page of failures loads the page anew for this one. */
function throwLost(cause: unknown): never {
  throw new LostPartError({ cause });
}

/** Only the server splits data: browsers need not load how. */
const listSplit: Pick<RouteHandle, 'splitData'> = import.meta.env.SSR ? { splitData: splitBlogList } : {};
const archiveSplit: typeof listSplit = import.meta.env.SSR ? { splitData: splitArchivePage } : {};

/** A page under client/pages/admin. */
function administratorsPage(file: string, handle: Omit<RouteHandle, 'module'>) {
  const lazy = async () =>
    await import('./admin-pages.js').then((pages) => pages.importAdminPage(file)).catch(throwLost);
  return { lazy, handle: { module: `client/pages/${file}.tsx`, ...handle } satisfies RouteHandle };
}

function accountPage(file: string) {
  return page(`account/${file}`, { startsAtOnce: true });
}

/**
 * A screen of the admin area. The server renders only the frame around it, the same for everyone; the screen follows in
 * the browser, so it may use the browser's interfaces.
 */
function adminPage(file: string, isServer: boolean) {
  const { lazy, handle } = administratorsPage(`admin/${file}`, { isHidden: true });
  return isServer ? { element: null, handle } : { lazy, handle };
}

interface RouteOptions {
  readonly isDeferred: boolean;
  /** In the browser: the edits of the page that the server rendered. */
  readonly edits?: PageEdits | undefined;
}

/**
 * Every route. The server and the browser build the same routes over their own services.
 * In the browser `isDeferred` hands pages the promise itself, so that they can show their loading text at once;
 * the server waits, so that status and head are known before the first byte.
 */
export function createRoutes(services: PageServices, { isDeferred, edits }: RouteOptions): RouteObject[] {
  /** @param request of the browser; for data that is null where the server may know where its page is */
  const settle = async <T,>(value: Promise<T>, request?: Request) => {
    if (!isDeferred) return { result: await value };
    const result = request
      ? value.then(async (found) => found ?? (await import('./lib/moves.js')).follow(request))
      : value;
    // The page reports a failure once it is shown; until then nobody listens, which browsers would complain about.
    result.catch(() => undefined);
    return { result };
  };
  const screen = (file: string) => adminPage(file, !isDeferred);
  /** The pages of posts at addresses such as `/blogs/archive/2019/03/2` and `/blogs/tag/backups/2`. */
  const listings = (['archive', 'category', 'tag', 'author'] as const).flatMap((kind) =>
    [':a', ':a/:b', ':a/:b/:c'].map((parts): RouteObject => ({
      path: `blogs/${kind}/${parts}`,
      id: kind + parts,
      ...(kind === 'archive' ? page('blog/blog-archive', archiveSplit) : page('blog/blog-term', listSplit)),
      loader: ({ params, request }) => settle(services.findListing(kind, Object.values(params) as string[]), request),
    })),
  );
  /** The data of the public pages that show more than words. */
  const withData: { readonly [Name in SitePageName]?: PageData } = {
    blogs: { loader: () => settle(services.listPosts()), handle: listSplit },
    contact: {
      // Only the server's answer to a form that was sent without scripts has one.
      loader: ({ context }) => ({ refusedForm: (context as PageContext | undefined)?.refusedForm ?? null }),
    },
  };
  const sitePage = (name: SitePageName): RouteObject => {
    const { path, file } = sitePages[name];
    const { loader: own, handle } = withData[name] ?? {};
    // The texts of an edited page stand in its document alone: browsers get it from there, with the newest ones.
    const isElsewhere = edits?.edited.includes(name) && edits.page !== name;
    // Links lead there as they are, with their place; this is for code that goes there.
    const loader = isElsewhere ? () => redirectDocument(path) : own;
    const facts = isElsewhere ? { ...handle, isElsewhere } : handle;
    return { path: path.slice(1), id: name, ...page(file, facts), ...(loader ? { loader } : {}) };
  };
  const publicRoutes: RouteObject[] = [
    {
      id: 'app',
      Component: App,
      ErrorBoundary: AppFailure,
      children: [
        ...(Object.keys(sitePages) as SitePageName[]).map(sitePage),
        { path: 'contact/sent', id: 'contact-sent', ...page('site/contact-sent') },
        {
          path: 'search',
          id: 'search',
          ...page('blog/search', { isHidden: true }),
          // The server has searched before: what it found, or why it did not, is a fact of its answer.
          loader: async ({ request, context }) =>
            (context as PageContext | undefined)?.search ?? {
              ...(await settle(services.search(new URL(request.url).searchParams.get('q') ?? ''))),
              problem: null,
            },
        },
        ...listings,
        {
          path: 'blogs/:slug',
          id: 'blog',
          ...page('blog/blog-post', { dataAddress: ({ slug = '' }) => paths.api.post(slug) }),
          loader: ({ params, request }) => settle(services.findPost(params['slug'] ?? ''), request),
        },
        {
          path: 'preview/:token',
          id: 'preview',
          ...page('blog/post-preview', { isHidden: true }),
          loader: ({ params }) => settle(services.findPreview(params['token'] ?? '')),
        },
        { path: 'auth', id: 'auth', ...accountPage('auth') },
        { path: 'auth/recover', id: 'auth-recover', ...accountPage('recover') },
        { path: 'auth/confirm', id: 'auth-confirm', ...accountPage('confirm') },
        { path: 'auth/code', id: 'auth-code', ...accountPage('code') },
        { path: 'auth/new-password', id: 'auth-new-password', ...accountPage('new-password') },
        { path: 'account', id: 'account', ...accountPage('account') },
        { path: '*', id: 'not-found', ...page('site/not-found', { status: 404 }) },
      ],
    },
  ];
  const adminArea: RouteObject = {
    path: 'admin',
    id: 'admin',
    ErrorBoundary: AppFailure,
    ...administratorsPage('admin/layout', { isHidden: true, startsAtOnce: true, namesFiles: true }),
    children: [
      { index: true, id: 'admin-start', ...screen('start') },
      { path: 'blogs', id: 'admin-posts', ...screen('posts') },
      // Both forms of the editor's address (product.md 2.1); the id `new` creates.
      { path: 'blogs/:id', id: 'admin-post', ...screen('post-editor') },
      { path: 'blogs/edit/:id', id: 'admin-post-edit', ...screen('post-editor') },
      { path: 'blogs/edit/:id/revisions', id: 'admin-revisions', ...screen('revisions') },
      { path: 'pages/:page', id: 'admin-page-texts', ...screen('pages') },
      { path: 'enquiries/:id', id: 'admin-enquiry', ...screen('enquiry') },
      // An area of its own, each.
      ...['terms', 'links', 'comments', 'reads', 'media', 'enquiries', 'people', 'company', 'pages', 'audit'].map(
        (name) => ({
          path: name,
          id: `admin-${name}`,
          ...screen(name),
        }),
      ),
    ],
  };
  return [{ id: 'root', Component: Root, children: [...publicRoutes, adminArea] }];
}
