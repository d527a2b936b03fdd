import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.js';
import type { InlineTexts } from '../shared/contracts/pages.js';

interface SecurityOptions {
  /** Origin of images, sound and films when browsers read them from elsewhere. */
  readonly imageOrigin: string | undefined;
  /** Development only: the bundler's client puts style elements into the page and opens a web socket. */
  readonly isDevelopment: boolean;
  /** True when visitors reach the site over TLS. */
  readonly isHttps: boolean;
  /** Style sheet and script in the documents of public pages; null when they are files. */
  readonly inlineTexts: InlineTexts | null;
}

/** Hosts whose players a post may embed; the sanitizer has the same list in its own terms. */
const VIDEO_ORIGINS = ['https://www.youtube-nocookie.com', 'https://player.vimeo.com'];

/**
 * Hash of the style element that sonner, which draws the toasts, puts into the page when it is imported. A test compares
 * it with the package.
 */
export const TOAST_STYLES_HASH = 'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY=';
/** The same element before sonner fills it: the hash of no text. */
const EMPTY_STYLES_HASH = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
const TOAST_STYLES = [`'${EMPTY_STYLES_HASH}'`, `'${TOAST_STYLES_HASH}'`];

/** No plug-ins, no other base of addresses, and no place in a frame. The last two do not follow default-src. */
const CLOSED = { 'object-src': ["'none'"], 'base-uri': ["'none'"], 'frame-ancestors': ["'none'"] };

/** Headers of what other sites may show: pictures, icons and feeds, which readers fetch from pages of their own. */
export const FOR_OTHER_SITES = { 'cross-origin-resource-policy': 'cross-origin' };

/**
 * Text becomes HTML or the address of a script only by these two policies: `default` of client/before-paint.ts, `site` of
 * client/lib/trusted-html.ts (decision 58).
 */
const TRUSTED_TYPES = { 'trusted-types': ['default', 'site'], 'require-trusted-types-for': ["'script'"] };

/** A source of a policy that allows an element with exactly this text. */
function toHashSource(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}

type Directives = Readonly<Record<string, readonly string[]>>;

/**
 * The content security policy of pages, and of whatever has no other. What it does not name is forbidden. Scripts come
 * from this site only; style sheet and first script of this build may stand in the document, known by their hashes.
 * There is no nonce, so that rendered pages can be kept. Style attributes are allowed: colored text in posts needs them.
 */
function pagePolicy({ imageOrigin, isDevelopment, inlineTexts }: SecurityOptions): Directives {
  const styles = inlineTexts ? [...TOAST_STYLES, toHashSource(inlineTexts.style)] : TOAST_STYLES;
  return {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...(inlineTexts ? [toHashSource(inlineTexts.firstScript)] : [])],
    'style-src': ["'self'", ...(isDevelopment ? ["'unsafe-inline'"] : styles)],
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:', ...(imageOrigin ? [imageOrigin] : [])],
    'media-src': ["'self'", ...(imageOrigin ? [imageOrigin] : [])],
    'font-src': ["'self'"],
    'manifest-src': ["'self'"],
    'connect-src': ["'self'", ...(isDevelopment ? ['ws:'] : [])],
    'frame-src': VIDEO_ORIGINS,
    // Browsers ask what scripts may when this is not named. The bundler's client waits for a restart in a worker.
    'worker-src': isDevelopment ? ['blob:'] : ["'none'"],
    ...CLOSED,
    'form-action': ["'self'"],
    ...TRUSTED_TYPES,
  };
}

/** The policy of the API's documentation: files of this site, and the style elements that its page makes. */
const DOCS_POLICY: Directives = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'worker-src': ["'none'"],
  ...CLOSED,
  'form-action': ["'none'"],
};

function toPolicy(directives: Directives): Headers {
  const parts = Object.entries(directives).map(([name, sources]) => `${name} ${sources.join(' ')}`);
  return { 'content-security-policy': parts.join('; ') };
}

/** Headers by name in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** The headers that answers have in front of the framework and behind it. */
export interface SecurityHeaders {
  /** Headers of every answer, also of those that the framework does not know. */
  readonly all: Headers;
  /** Headers of the API's documentation, instead of these. */
  readonly docs: Headers;
}

/** Makes the security headers of every answer, errors and files included. */
export function createSecurityHeaders(options: SecurityOptions): SecurityHeaders {
  const headers: Headers = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(options.isHttps ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
  return { all: { ...headers, ...toPolicy(pagePolicy(options)) }, docs: { ...headers, ...toPolicy(DOCS_POLICY) } };
}

/**
 * Makes them for a process.
 * @param inlineTexts those of the pages that go out with these headers: the policy names exactly these texts
 */
export function securityHeadersOf(
  { storage, server, mode }: Pick<Config, 'storage' | 'server' | 'mode'>,
  inlineTexts: InlineTexts | null,
): SecurityHeaders {
  const imageOrigin = storage.driver === 's3' && storage.publicUrl ? new URL(storage.publicUrl).origin : undefined;
  return createSecurityHeaders({
    imageOrigin,
    isDevelopment: mode === 'development',
    isHttps: server.publicUrl.startsWith('https:'),
    inlineTexts,
  });
}

/**
 * Puts the security headers on what the framework answers.
 * @param docsPath where the API's documentation stands, whose page brings style elements of its own
 */
export function addSecurityHeaders(fastify: FastifyInstance, { all, docs }: SecurityHeaders, docsPath: string): void {
  const isDocs = (url: string) => url === docsPath || url.startsWith(`${docsPath}/`) || url.startsWith(`${docsPath}?`);
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(isDocs(request.url) ? docs : all);
    done();
  });
}
