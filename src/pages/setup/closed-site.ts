import type { FastifyInstance } from 'fastify';
import type { SetupStateService } from '../../setup/setup-state.service.js';
import { SETUP_PATH } from '../../shared/paths.js';
import { closedPage } from './setup-pages.js';

/** Visitors and programs may try again after so many seconds. */
const RETRY_AFTER_SECONDS = 30;
/** Addresses that answer before there is a site: health, and the files that the setup's pages need. */
const OPEN = /^\/(?:api\/health(?:\/(?:live|ready|details))?|assets\/[\w.-]+|favicon\.ico)(?:\?|$)/;
const SETUP = new RegExp(`^${SETUP_PATH}(?:/(?:account|company|mail|finish))?(?:\\?|$)`);
/** The setup as people may type it. */
const OTHER_SPELLING = new RegExp(`^${SETUP_PATH}/+(?:\\?|$)`, 'i');

interface ClosedSiteOptions {
  readonly state: SetupStateService;
  /** Addresses of the site's style sheets. */
  readonly styles: readonly string[];
  /** The path of the accounts API, whose callers are programs. */
  readonly accountsPath: string;
}

/**
 * Keeps everything closed until the site is set up: 503, which no cache keeps. A site that is set up pays for this with one
 * comparison.
 */
export function addClosedSite(fastify: FastifyInstance, { state, styles, accountsPath }: ClosedSiteOptions): void {
  const isProgram = (url: string) =>
    url.startsWith('/api/') || (accountsPath !== '/' && url.startsWith(`${accountsPath}/`));
  fastify.addHook('onRequest', async ({ url }, reply) => {
    if (state.phase === 'running' || OPEN.test(url)) return;
    const phase = await state.refreshOrKeep();
    if (phase === 'running' || (phase === 'setup' && SETUP.test(url))) return;
    if (phase === 'setup' && OTHER_SPELLING.test(url))
      return reply.header('cache-control', 'no-store').redirect(SETUP_PATH, 302);
    reply.status(503).headers({ 'cache-control': 'no-store', 'retry-after': RETRY_AFTER_SECONDS });
    if (isProgram(url)) return reply.send({ code: 'not_set_up', message: 'This site is being set up.' });
    return reply.type('text/html; charset=utf-8').send(closedPage(styles, phase === 'setup'));
  });
}
