import type { IncomingHttpHeaders } from 'node:http';

/** Programs say who they are; those that do not are told from people by nothing that a request has. Cubot makes telephones. */
const ROBOT =
  /(?<!\bcu)bot\b|crawl|spider|slurp|headless|lighthouse|preview|fetch|monitor|scrap|curl|wget|python|java\/|go-http|axios|node/i;

/** Returns true for the request of a browser that shows a page of this very site to somebody who lets reads be counted. */
export function isCounted(headers: IncomingHttpHeaders, siteUrl: string): boolean {
  const { origin = '', host, dnt, 'user-agent': agent = '', 'sec-fetch-site': site = 'same-origin' } = headers;
  if (dnt === '1' || headers['sec-gpc'] === '1' || agent === '' || ROBOT.test(agent)) return false;
  // Browsers name the origin of every POST, and programs of other sites cannot change that.
  const isOwn = origin === new URL(siteUrl).origin || URL.parse(origin)?.host === host;
  return isOwn && site === 'same-origin';
}

const HOST = /^(?=.{1,100}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;

/** Returns the host name of another site, without 'www.'; empty for none, this site, and what is no name. */
export function toReferrer(given: string, siteUrl: string): string {
  const host = withoutWww(given.toLowerCase());
  return HOST.test(host) && host !== withoutWww(new URL(siteUrl).hostname) ? host : '';
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, '');
}
