/** Kinds by which answers are counted. A path is none: made-up paths would make as many series. */
export const REQUEST_KINDS = [
  'home',
  'list',
  'post',
  'page',
  'feed',
  'preview',
  'admin',
  'api',
  'admin_api',
  'auth',
  'upload',
  'media',
  'assets',
  'health',
] as const;

export type RequestKind = (typeof REQUEST_KINDS)[number];

const EXACT: ReadonlyMap<string, RequestKind> = new Map([
  ['/', 'home'],
  ['/blogs', 'list'],
  ['/rss.xml', 'feed'],
  ['/feed.json', 'feed'],
  ['/sitemap.xml', 'feed'],
  ['/robots.txt', 'feed'],
  ['/admin', 'admin'],
  ['/api/uploads', 'upload'],
]);

/** The first that fits counts. */
const PREFIXES: readonly (readonly [prefix: string, kind: RequestKind])[] = [
  ['/blogs/', 'post'],
  ['/assets/', 'assets'],
  ['/media/', 'media'],
  ['/api/health', 'health'],
  ['/api/admin/', 'admin_api'],
  ['/api/', 'api'],
  ['/functions/', 'api'],
  ['/admin/', 'admin'],
  ['/preview/', 'preview'],
];

/** Returns the kind of the request for this path, without a query; everything else is a page, existing or not. */
export function kindOfPath(path: string): RequestKind {
  return EXACT.get(path) ?? PREFIXES.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'page';
}
