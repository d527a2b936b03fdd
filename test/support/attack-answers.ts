import { once } from 'node:events';
import { request, type Agent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { findMismatches, type ApiDocument } from './api-document.js';
import type { Fault } from './figures.js';
import type { AttackedRoute, GeneratedRequest } from './generated-requests.js';

/** An answer to an attack. */
export interface AttackAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const ON_EVERY_ANSWER = [
  ...['content-security-policy', 'x-content-type-options', 'referrer-policy', 'x-request-id'],
  ...['cross-origin-opener-policy', 'cross-origin-resource-policy'],
];
/** Tells of which kind a fault is that {@link findFaults} names. */
export function kindOfFault(fault: string): Fault {
  if (/^answers 5/.test(fault)) return '5xx';
  return fault === INSIDE_TOLD ? 'stack' : 'shape';
}

const INSIDE_TOLD = 'tells of the inside';
/** Lines of a stack, and names of folders that only the inside knows. */
const INSIDE = /\n\s+at .+:\d+:\d+\)?|node_modules|file:\/\/\/|\/dist\/|select .+ from "/i;
/** Refusals that any route may answer with: what is wrong is not particular to it. */
const COMMON = [400, 401, 403, 404, 408, 413, 414, 415, 429, 431];

/** Sends a request as it is. @throws Error when the connection ends without an answer */
export async function attack(url: string, agent: Agent, { method, target, headers, body }: GeneratedRequest) {
  const { hostname, port } = new URL(url);
  const length = body === undefined ? {} : { 'content-length': String(body.length) };
  const call = request({ agent, hostname, port, method, path: target, headers: { ...headers, ...length } });
  // Who sends too much is answered before the end of it.
  call.on('error', () => undefined).end(body);
  const answered = once(call, 'response') as Promise<[IncomingMessage]>;
  const [answer] = await answered;
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    body: decode(await buffer(answer), answer.headers).toString(),
  };
}

function decode(body: Buffer, { 'content-encoding': encoding }: IncomingHttpHeaders): Buffer {
  if (body.length === 0 || encoding === undefined) return body;
  return encoding === 'br' ? brotliDecompressSync(body) : gunzipSync(body);
}

/** Finds what is wrong with an answer: our fault, talkative, without a header of every answer, or in no documented shape. */
export function findFaults(
  route: AttackedRoute,
  sent: GeneratedRequest,
  { status, headers, body }: AttackAnswer,
  api: ApiDocument,
): string[] {
  const faults: string[] = [];
  if (status >= 500) faults.push(`answers ${status}`);
  if (INSIDE.test(body) && status >= 400) faults.push(INSIDE_TOLD);
  const lacking = ON_EVERY_ANSWER.filter((name) => headers[name] === undefined);
  if (lacking.length > 0) faults.push(`lacks ${lacking.join(', ')}`);
  if (status >= 300 && status < 400 && !isOwn(headers.location, status)) faults.push(`leads to ${headers.location}`);
  if (sent.method !== 'HEAD') {
    if (status >= 400) faults.push(...findWrongError(status, headers, body));
    const documented = sent.isForRoute ? route.operation?.responses : undefined;
    if (documented) faults.push(...findUndocumented(documented, status, body, api));
  }
  return faults;
}

/** The site itself, or the machine of the visitor, to which links of applications there may lead (auth-api.md 1.1). */
function isOwn(location: string | undefined, status: number): boolean {
  return (
    status === 304 || /^(?:\/(?![/\\])|(?:http:\/\/site\.test|https?:\/\/\[::1\])(?:[/?#]|$))/.test(location ?? '')
  );
}

function findUndocumented(
  responses: NonNullable<AttackedRoute['operation']>['responses'],
  status: number,
  body: string,
  api: ApiDocument,
): string[] {
  const response = responses[String(status)];
  if (response === undefined) return COMMON.includes(status) ? [] : [`answers ${status}, which is not documented`];
  const schema = response.content?.['application/json']?.schema;
  // Answers for containers and balancers have an example alone.
  if (schema?.type === undefined && schema?.$ref === undefined) return [];
  // Every error has its id, whatever its own documentation says.
  const { request_id: _id, ...rest } = parse(body) ?? {};
  return findMismatches(api, schema, status < 400 ? JSON.parse(body) : rest).slice(0, 3);
}

function findWrongError(status: number, headers: IncomingHttpHeaders, body: string): string[] {
  const type = headers['content-type'] ?? '';
  if (type.startsWith('text/html')) return /<h1/.test(body) ? [] : ['is a page without a heading'];
  if (!type.startsWith('application/json')) return [`is an error in ${type || 'no type'}`];
  const error = parse(body);
  if (error === null) return ['is no JSON'];
  const isRecent = headers['x-supabase-api-version'] !== undefined;
  if (headers['x-sb-error-code'] !== undefined)
    return isAccountsError(error, status, isRecent) ? [] : [`is ${body.slice(0, 200)}`];
  const isWhole =
    isCode(error['code']) && isSentence(error['message']) && error['request_id'] === headers['x-request-id'];
  return isWhole ? [] : [`is ${body.slice(0, 200)}`];
}

function isAccountsError(error: Readonly<Record<string, unknown>>, status: number, isRecent: boolean): boolean {
  if ('error' in error)
    return isCode(error['error']?.toString().replaceAll(' ', '_')) && isSentence(error['error_description']);
  if (isRecent) return isCode(error['code']) && isSentence(error['message']);
  return error['code'] === status && isCode(error['error_code']) && isSentence(error['msg']);
}

function isCode(value: unknown): boolean {
  return typeof value === 'string' && /^[a-z][a-z0-9_]+$/.test(value);
}

function isSentence(value: unknown): boolean {
  return typeof value === 'string' && value.length > 3;
}

function parse(body: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
