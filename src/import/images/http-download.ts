import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { ImageUnavailableError, PassingTroubleError } from './image-unavailable.error.js';
import type { CheckedAddress } from './public-address.js';

/** How far a site is trusted to behave. */
export interface DownloadLimits {
  /** Limit of the body. */
  readonly maxBytes: number;
  /** Limit of one image, from the first look-up of its host to its last byte, redirects included. */
  readonly totalMs: number;
  /** Between two signs of life. */
  readonly idleMs: number;
}

/** The answer of a site: a body, or a redirect. */
export type Answer = { readonly body: Buffer } | { readonly location: string };

const HEADERS = {
  'user-agent': 'it-support-website (import of images)',
  accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif,*/*;q=0.1',
  // What is compressed could become anything when it is unpacked; images are compressed as they are.
  'accept-encoding': 'identity',
};
const MAX_HEADER_BYTES = 16 * 1024;
const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);
/** Answers after which it is worth asking again. */
const isPassing = (status: number) => status === 429 || status >= 500;

/**
 * Asks once, and connects to nothing but the addresses that were checked: what the name means by then is not asked.
 * @param signal ends it; its reason is thrown
 * @throws ImageUnavailableError
 */
export async function download(
  url: URL,
  addresses: readonly CheckedAddress[],
  limits: DownloadLimits,
  signal: AbortSignal,
): Promise<Answer> {
  const silence = new AbortController();
  const ending = AbortSignal.any([signal, silence.signal]);
  const handleSilence = () => {
    silence.abort(new PassingTroubleError(`sent nothing for ${toSeconds(limits.idleMs)}`, { isSilence: true }));
  };
  try {
    const response = await ask(url, addresses, limits.idleMs, ending, handleSilence);
    try {
      const { statusCode = 0, headers } = response;
      if (REDIRECTS.has(statusCode) && headers.location !== undefined) return { location: headers.location };
      assertUsable(statusCode, response, limits);
      return { body: await readBody(response, limits.maxBytes) };
    } finally {
      response.destroy();
    }
  } catch (cause) {
    // Whatever it broke in says less than why it was ended.
    if (ending.aborted) throw ending.reason;
    if (cause instanceof ImageUnavailableError) throw cause;
    throw new PassingTroubleError(`could not be fetched (${describe(cause)})`, { isSilence: true, cause });
  }
}

async function ask(
  url: URL,
  addresses: readonly CheckedAddress[],
  idleMs: number,
  signal: AbortSignal,
  handleSilence: () => void,
): Promise<IncomingMessage> {
  const options: RequestOptions = {
    headers: HEADERS,
    // A connection of its own, that nothing else has used or will use.
    agent: false,
    lookup: toLookup(addresses),
    maxHeaderSize: MAX_HEADER_BYTES,
    timeout: idleMs,
    signal,
  };
  return await new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);
    request.on('timeout', handleSilence);
    request.on('response', resolve);
    request.on('error', reject);
    request.end();
  });
}

/** Makes a look-up that answers with what was checked, whatever it is asked. */
export function toLookup(addresses: readonly CheckedAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function assertUsable(status: number, { headers }: IncomingMessage, { maxBytes }: DownloadLimits): void {
  if (isPassing(status)) {
    const pauseMs = readPause(headers['retry-after']);
    throw new PassingTroubleError(`answered ${status}`, {
      isSilence: false,
      ...(pauseMs === undefined ? {} : { pauseMs }),
    });
  }
  if (status !== 200) throw new ImageUnavailableError(`answered ${status}`);
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') throw new ImageUnavailableError('was sent compressed');
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/** Reads no further than the limit, whatever was said of the length. */
async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): ImageUnavailableError {
  const mebibytes = maxBytes / 1024 / 1024;
  return new ImageUnavailableError(`is larger than ${mebibytes >= 1 ? `${mebibytes} MB` : `${maxBytes} bytes`}`);
}

/** Milliseconds of a header with seconds (RFC 9110, section 10.2.3); undefined when it says nothing, or a date. */
function readPause(retryAfter: string | undefined): number | undefined {
  return retryAfter !== undefined && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined;
}

/** '30 seconds', for reasons. */
export function toSeconds(ms: number): string {
  return ms === 1000 ? '1 second' : `${ms / 1000} seconds`;
}

function describe(error: unknown): string {
  // Of several addresses none answered: the first says why.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const isCoded = typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string';
  return isCoded ? String(cause.code) : String(cause);
}
