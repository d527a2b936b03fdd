import type { OutgoingHttpHeaders } from 'node:http';
import { HtmlPage } from './html.js';

type Policy = ReadonlyMap<string, readonly string[]>;

const BROAD = /^(?:ftp:|https?:|\*|https?:\/\/\*(?:\.\*)?)$/;
const INSECURE = /^(?:http|ftp):/;
const HASH = /^'(?:sha\d+|nonce)-/;
/** Half a year, in seconds. */
const LONG = 15_768_000;

/**
 * Points of Mozilla's HTTP Observatory for an https page, test by test: 100 are given, and this is added to them. Bonuses
 * count from 90 points on. Rules: https://developer.mozilla.org/en-US/observatory/docs/tests_and_scoring, and
 * https://github.com/mdn/mdn-http-observatory (src/analyzer/tests, src/grader/charts.js), as of November 2026. Not judged:
 * the redirect from http, which is the proxy's, and the list of preloaded hosts.
 */
export function judge(headers: OutgoingHttpHeaders, html: string) {
  const header = (name: string) => [headers[name] ?? ''].flat().join();
  const policy = readPolicy(header('content-security-policy'));
  return {
    'content-security-policy': judgePolicy(policy),
    cookies: headers['set-cookie'] === undefined ? 0 : Number.NaN,
    'cross-origin-resource-sharing': headers['access-control-allow-credentials'] === undefined ? 0 : -50,
    'cross-origin-resource-policy': /^same-(?:origin|site)$/.test(header('cross-origin-resource-policy')) ? 10 : 0,
    'referrer-policy': judgeReferrer(header('referrer-policy')),
    'strict-transport-security': judgeTransport(header('strict-transport-security')),
    'subresource-integrity': judgeScripts(html),
    'x-content-type-options': header('x-content-type-options') === 'nosniff' ? 0 : -5,
    'x-frame-options': (policy.get('frame-ancestors') ?? ['*']).some((source) => BROAD.test(source)) ? -20 : 5,
  };
}

/** The sum that the Observatory shows. */
export function sumOf(points: ReturnType<typeof judge>): number {
  const values = Object.values(points);
  const add = (sum: number, value: number) => sum + value;
  const base = values.filter((value) => !(value > 0)).reduce(add, 100);
  return base >= 90 ? values.filter((value) => value > 0).reduce(add, base) : base;
}

function readPolicy(text: string): Policy {
  const directives = text.split(';').map((part) => part.trim().toLowerCase().split(/\s+/));
  return new Map(directives.map(([name = '', ...sources]) => [name, sources]));
}

/** The Observatory looks at style-src, and at no style attributes. */
function judgePolicy(policy: Policy): number {
  const sourcesOf = (name: string) => policy.get(name) ?? policy.get('default-src') ?? ['*'];
  const inlineIn = (sources: readonly string[]) => sources.includes("'unsafe-inline'") && !sources.some(isHash);
  const [script, style] = [sourcesOf('script-src'), sourcesOf('style-src')];
  if (policy.size < 2) return -25;
  if (inlineIn(script) || script.includes('data:') || [...script, ...sourcesOf('object-src')].some(isBroad)) return -20;
  const active = [...policy].filter(([name]) => name !== 'img-src' && name !== 'media-src');
  if (active.some(([, sources]) => sources.some(isInsecure))) return -20;
  if ([...script, ...style].includes("'unsafe-eval'")) return -10;
  if ([...sourcesOf('img-src'), ...sourcesOf('media-src')].some(isInsecure)) return -10;
  if (inlineIn(style) || style.includes('data:') || style.some(isBroad)) return 0;
  return policy.get('default-src')?.join(' ') === "'none'" ? 10 : 5;
}

const isHash = (source: string) => HASH.test(source);
const isBroad = (source: string) => BROAD.test(source);
const isInsecure = (source: string) => INSECURE.test(source);

function judgeReferrer(value: string): number {
  if (value === '') return 0;
  return /^(?:no-referrer|same-origin|strict-origin|strict-origin-when-cross-origin)$/.test(value) ? 5 : -5;
}

function judgeTransport(value: string): number {
  const seconds = /^max-age=(\d+)/.exec(value)?.[1];
  if (seconds === undefined) return -20;
  return Number(seconds) >= LONG ? 0 : -10;
}

/** Scripts of other hosts cost points; own ones bring 5 with integrity, which says nothing beside the page that names it. */
function judgeScripts(html: string): number {
  const scripts = new HtmlPage(html).all('script').filter(({ attribs }) => attribs['src'] !== undefined);
  if (scripts.some(({ attribs }) => !/^\/(?!\/)/.test(attribs['src'] ?? ''))) return -5;
  return scripts.some(({ attribs }) => attribs['integrity'] !== undefined) ? 5 : 0;
}
