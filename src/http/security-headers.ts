import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { InlineTexts } from '../shared/contracts/pages.js';

interface SecurityOptions {
  /** Origin of the images when browsers read them from elsewhere. */
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

/** A source of a policy that allows an element with exactly this text. */
function toHashSource(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}

/**
 * The content security policy of every answer. Scripts come from this site only; style sheet and first script of this
 * build may stand in the document, known by their hashes. There is no nonce, so that rendered pages can be kept. Style
 * attributes are allowed: colored text in posts needs them.
 */
function contentSecurityPolicy(
  { imageOrigin, isDevelopment, inlineTexts }: SecurityOptions,
  hasStyleElements: boolean,
): string {
  const styles = inlineTexts ? [...TOAST_STYLES, toHashSource(inlineTexts.style)] : TOAST_STYLES;
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...(inlineTexts ? [toHashSource(inlineTexts.firstScript)] : [])],
    'style-src': ["'self'", ...(hasStyleElements ? ["'unsafe-inline'"] : styles)],
    'style-src-attr': ["'unsafe-inline'"],
    // Posts may show pictures that other sites host.
    'img-src': ["'self'", 'data:', 'https:', 'http:', ...(imageOrigin ? [imageOrigin] : [])],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...(isDevelopment ? ['ws:'] : [])],
    'frame-src': VIDEO_ORIGINS,
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
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
  const { isDevelopment, isHttps } = options;
  const policyOf = (hasStyleElements: boolean) => ({
    'content-security-policy': contentSecurityPolicy(options, hasStyleElements),
  });
  const headers: Headers = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    'cross-origin-opener-policy': 'same-origin',
    ...(isHttps ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
  return { all: { ...headers, ...policyOf(isDevelopment) }, docs: { ...headers, ...policyOf(true) } };
}

/**
 * Puts the security headers on what the framework answers.
 * @param docsPath where the API's documentation stands, whose page brings style elements of its own
 */
export function addSecurityHeaders(fastify: FastifyInstance, { all, docs }: SecurityHeaders, docsPath: string): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.url.startsWith(docsPath) ? docs : all);
    done();
  });
}
