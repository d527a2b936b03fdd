import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { acceptedEncodings, type Encoding } from './accept-encoding.js';
import { CompletePage, isMatch } from './complete-page.js';
import type { AnsweredPage } from './page-cache.js';
import type { PageStream } from './page-stream.js';

/** An encoding of the page's body, or no body for a visitor who has it already. */
export type PageForm = Encoding | 'unchanged';

/** A page and where it came from; without a state where the cache was not asked. */
export type Answered = AnsweredPage | { readonly page: CompletePage | PageStream; readonly state?: undefined };

/** The answer to one request for a page, whoever writes it. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream breaks off if the rendering fails. */
  readonly body: Buffer | Readable | undefined;
}

/** Headers of a page that is as old as the database has been down; no shared cache may keep it. */
const STALE_HEADERS = {
  'cache-control': 'no-store',
  warning: '110 - "Response is Stale"',
  'x-cache': 'stale',
} as const;

/**
 * Chooses the form that can be sent at once. Undefined for a visitor who accepts only an encoding that is not there yet
 * and has to wait for it: see {@link answerWith}.
 */
export function chooseForm(page: CompletePage, headers: IncomingHttpHeaders): PageForm | undefined {
  if (isMatch(headers['if-none-match'], page)) return 'unchanged';
  return page.choose(acceptedEncodings(headers['accept-encoding']));
}

/** Makes the answer of a complete page in a form that {@link chooseForm} chose. */
export function toAnswer(page: CompletePage, form: PageForm, state: Answered['state']): PageAnswer {
  const head = headOf(page, form, state);
  return form === 'unchanged' ? { ...head, body: undefined } : withBody(head, page.bodyIn(form));
}

function withBody({ status, headers }: Omit<PageAnswer, 'body'>, body: Buffer): PageAnswer {
  return { status, headers: { ...headers, 'content-length': String(body.length) }, body };
}

/**
 * Makes the answer of any page, once it can be sent: a page that is being rendered when its first piece is there.
 * @throws Error if the page cannot be rendered
 */
export async function answerWith(
  { page, state }: Answered,
  { method, headers }: { readonly method: string; readonly headers: IncomingHttpHeaders },
): Promise<PageAnswer> {
  if (isMatch(headers['if-none-match'], page)) return { ...headOf(page, 'unchanged', state), body: undefined };
  const accepted = acceptedEncodings(headers['accept-encoding']);
  if (page instanceof CompletePage) return toAnswer(page, await page.prepare(accepted), state);
  // The best brotli is for those who come later. A head names the length, so it waits for the whole.
  const streamed = method === 'HEAD' ? undefined : accepted.find(isStreamed);
  page.start();
  await (streamed === undefined ? page.whole : page.begun);
  const { complete } = page;
  const quickGzip = streamed === 'gzip' ? page.quickGzip : undefined;
  if (complete && quickGzip) {
    // Those who come later get the best one.
    if (state) complete.beginGzip();
    return withBody(headOf(page, 'gzip', state), quickGzip);
  }
  if (complete) return toAnswer(complete, await complete.prepare(accepted), state);
  const encoding = streamed ?? 'identity';
  return { ...headOf(page, encoding, state), body: page.open(encoding) };
}

/** The status and headers of a page in a form, but for the length of its body. */
function headOf(
  page: CompletePage | PageStream,
  form: PageForm,
  state: Answered['state'],
): Pick<PageAnswer, 'status' | 'headers'> {
  const { 'content-type': type, ...rest } = page.headers;
  const headers = {
    ...(type === undefined || form === 'unchanged' ? {} : { 'content-type': type }),
    ...rest,
    ...(form === 'gzip' || form === 'br' ? { 'content-encoding': form } : {}),
    ...(state === 'stale' ? STALE_HEADERS : state ? { 'x-cache': state } : {}),
  };
  return { status: form === 'unchanged' ? 304 : page.status, headers };
}

function isStreamed(encoding: Encoding): encoding is Exclude<Encoding, 'br'> {
  return encoding !== 'br';
}
