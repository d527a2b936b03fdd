import { resolve, type ApiDocument, type Operation, type Schema } from './api-document.js';
import type { HostileValues } from './hostile-values.js';

/** A route that is attacked. */
export interface AttackedRoute {
  /** Such as `GET /api/posts/:slug`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Its documentation; undefined where there is none. */
  readonly operation: Operation | undefined;
}

/** A request as it is sent. */
export interface GeneratedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** True when only values differ from what the route expects, so that its documentation says what may be answered. */
  readonly isForRoute: boolean;
}

/** Things that are there, and somebody who may see them. */
export interface KnownThings {
  readonly ids: readonly string[];
  readonly adminTokens: readonly string[];
  readonly accountTokens: readonly string[];
  /** Tokens that administer accounts, and accounts that may be changed and deleted. */
  readonly programTokens: readonly string[];
  readonly accountIds: readonly string[];
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MULTIPART_TYPE = 'multipart/form-data; boundary=b';
const TYPES = [
  ...[JSON_TYPE, FORM_TYPE, MULTIPART_TYPE, 'multipart/form-data', 'text/plain', 'application/xml', ';;//', 'x'],
  ...[`${JSON_TYPE}; charset=utf-16`, 'application/json;', 'application/vnd.accounts-request', 'text/html'],
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'LINK', 'PURGE'];
const WITH_BODY = /^(?:POST|PUT|PATCH)$/;
/** Fields of the calls of accounts (auth-api.md 3), which the documentation of the API leaves out. */
const ACCOUNT_FIELDS = [
  ...['email', 'phone', 'password', 'current_password', 'nonce', 'data', 'app_metadata', 'token', 'token_hash', 'type'],
  ...[
    'refresh_token',
    'auth_code',
    'code_verifier',
    'code_challenge',
    'code_challenge_method',
    'create_user',
    'channel',
  ],
  ...['id', 'aud', 'role', 'password_hash', 'email_confirm', 'user_metadata', 'ban_duration', 'should_soft_delete'],
  ...['factor_type', 'friendly_name', 'issuer', 'challenge_id', 'code'],
  ...['new_email', 'redirect_to', 'gotrue_meta_security', 'provider', 'id_token', 'chain', 'message', 'signature'],
];
const ACCOUNT_QUERY = [
  'grant_type',
  'redirect_to',
  'token',
  'type',
  'scope',
  'provider',
  'page',
  'per_page',
  'sort',
  'filter',
];
const ACCOUNT_WORDS = [
  ...[
    'password',
    'refresh_token',
    'pkce',
    'id_token',
    'web3',
    'signup',
    'recovery',
    'magiclink',
    'email',
    'email_change',
  ],
  ...['email_change_current', 'email_change_new', '24h', 'none', '1', 'created_at asc', 'service_role'],
  ...['totp', 'webauthn', 'recovery_code', '123456', 'a'.repeat(16), '00000000-0000-4000-8000-000000000000'],
  ...['invite', 'global', 'local', 'others', 's256', 'sms', 'eve@example.org', 'secret password 1', '0'.repeat(56)],
];

/** Makes up a request to a route: what it expects, but for one thing or several. */
export function generateRequest(
  route: AttackedRoute,
  values: HostileValues,
  known: KnownThings,
  api: ApiDocument,
): GeneratedRequest {
  const { isChance, pick } = values;
  const isOddMethod = isChance(0.06);
  const method = isOddMethod ? pick(METHODS) : route.method === 'ALL' ? pick(METHODS) : route.method;
  const isOddPath = isChance(0.08);
  const path = makePath(route.path, values, known);
  const target = (isOddPath ? bend(path, values) : path) + makeQuery(route, values);
  const headers: Record<string, string> = { ...makeHeaders(route, values, known) };
  const hasBody = WITH_BODY.test(method) || isChance(0.03);
  const body = hasBody ? makeBody(route, values, api, headers) : undefined;
  return { method, target, headers, body, isForRoute: !isOddMethod && !isOddPath && route.method !== 'ALL' };
}

/** Calls that administer accounts. */
const FOR_PROGRAMS = /^\/auth\/v1\/(?:admin\/|invite$)/;

function makePath(template: string, values: HostileValues, known: KnownThings): string {
  const { isChance, pick, part } = values;
  const ids = FOR_PROGRAMS.test(template) ? known.accountIds : known.ids;
  return template.replace(/:\w+|\*/g, () => (isChance(0.4) ? pick(ids) : part()));
}

/** Another spelling of a path, or something that looks like it. */
function bend(path: string, { pick, part, number }: HostileValues): string {
  const at = number(path.length);
  return pick([
    () => `/${path}`,
    () => `${path}/`,
    () => path.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
    () => path.slice(0, at) + part() + path.slice(at),
    () => `${path}/${part()}`,
    () => `/${part()}/..${path}`,
    () => path.replaceAll('/', '//'),
    () => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    () => `http://evil.example${path}`,
    () => path.replaceAll('/', '\\'),
  ])();
}

function makeQuery({ path, operation }: AttackedRoute, { isChance, pick, part, number }: HostileValues): string {
  if (isChance(0.4)) return '';
  const documented = (operation?.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => name);
  const names = [
    ...documented,
    ...(path.startsWith('/auth') ? ACCOUNT_QUERY : []),
    'x',
    '__proto__',
    'a[b]',
    'a[]',
    part(),
  ];
  const words = path.startsWith('/auth') ? ACCOUNT_WORDS.map(encodeURIComponent) : ['1', 'title', 'true', '2024-01-01'];
  const pair = () => `${pick(names)}=${isChance(0.4) ? pick(words) : part()}`;
  return `?${Array.from({ length: 1 + number(4) }, pair).join('&')}`;
}

function makeHeaders({ path }: AttackedRoute, values: HostileValues, known: KnownThings): Record<string, string> {
  const { isChance, pick } = values;
  const odd: Record<string, string> = {};
  if (isChance(0.1)) odd['accept-encoding'] = pick(['br;q=x', 'gzip, *;q=0', '\xff', 'identity;q=0']);
  if (isChance(0.1)) odd['x-forwarded-for'] = pick(['\'"><script>', '::1, 1.1.1.1', 'x'.repeat(2_000)]);
  if (isChance(0.1)) odd['idempotency-key'] = pick(['\xff', 'x'.repeat(1_000), '"']);
  if (isChance(0.1)) odd['x-form-elapsed'] = pick(['-1', 'NaN', '1e999', '\xff']);
  if (isChance(0.1)) odd['cookie'] = pick(['=; a=%E0%A4%A; __proto__=1', 'b', '\xff=\xfe']);
  if (isChance(0.1)) odd['if-none-match'] = pick(['*', 'W/"x", "', '\xff']);
  if (isChance(0.1)) odd['range'] = pick(['bytes=0-0,5-,-1', 'bytes=9-1', 'x']);
  if (isChance(0.3)) odd['x-supabase-api-version'] = pick(['2024-01-01', '9999-99-99', '', '2023-01-01']);
  if (isChance(0.1)) odd['redirect_to'] = pick(['javascript:alert(1)', 'https://[::1]?a', '\xff', '//evil.example']);
  const tokens = FOR_PROGRAMS.test(path)
    ? known.programTokens
    : path.startsWith('/auth')
      ? known.accountTokens
      : known.adminTokens;
  const authorization = isChance(0.75)
    ? `Bearer ${pick(tokens)}`
    : pick([
        '',
        'Bearer a.b.c',
        'Basic ===',
        `Bearer ${pick(tokens)}x`,
        'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJcdTAwMDAifQ.',
      ]);
  return { ...odd, ...(authorization === '' ? {} : { authorization }) };
}

function makeBody(
  route: AttackedRoute,
  values: HostileValues,
  api: ApiDocument,
  headers: Record<string, string>,
): Buffer {
  const { isChance, pick, number, broken } = values;
  const contents = Object.keys(route.operation?.requestBody?.content ?? { [JSON_TYPE]: {} });
  const type = isChance(0.1) ? pick(TYPES) : pick(contents);
  headers['content-type'] = type === 'multipart/form-data' ? MULTIPART_TYPE : type;
  if (isChance(0.02)) headers['content-encoding'] = pick(['gzip', 'br', 'x']);
  if (type.startsWith('multipart/')) return cutSometimes(makeMultipart(values), values);
  if (type === FORM_TYPE) return Buffer.from(makeForm(route, values));
  const json = JSON.stringify(makeObject(route, values, api));
  if (isChance(0.15)) return Buffer.from(broken(json));
  const bytes = Buffer.from(json);
  // Bytes that are no UTF-8.
  if (isChance(0.05) && bytes.length > 0) bytes[number(bytes.length)] = number(256);
  return bytes;
}

function cutSometimes(bytes: Buffer, { isChance, number }: HostileValues): Buffer {
  return isChance(0.3) ? bytes.subarray(0, number(bytes.length)) : bytes;
}

function makeObject({ path, operation }: AttackedRoute, values: HostileValues, api: ApiDocument): unknown {
  const { isChance, pick, value, text, number } = values;
  const schema = Object.values(operation?.requestBody?.content ?? {})[0]?.schema;
  if (isChance(0.03)) return value();
  const body: Record<string, unknown> = {};
  const names = path.startsWith('/auth') ? ACCOUNT_FIELDS : ['name', 'email', 'message'];
  if (schema === undefined) for (const name of names) body[name] = isChance(0.5) ? pick(ACCOUNT_WORDS) : undefined;
  else Object.assign(body, sampleOf(api, schema, values));
  const keys = [...Object.keys(body), text()];
  for (let changes = 1 + number(3); changes > 0; changes -= 1) body[pick(keys)] = isChance(0.1) ? undefined : value();
  return body;
}

/** A value that a schema allows. */
function sampleOf(api: ApiDocument, given: Schema, values: HostileValues): unknown {
  const schema = resolve(api, given);
  const { pick, number } = values;
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => sampleOf(api, part, values)));
  if (schema.oneOf) return sampleOf(api, pick(schema.oneOf), values);
  if (schema.enum) return pick(schema.enum);
  if (schema.type === 'array') return schema.items ? [sampleOf(api, schema.items, values)] : [];
  if (schema.type === 'number') return number(3);
  if (schema.type === 'boolean') return number(2) === 0;
  if (schema.type !== 'object' && schema.properties === undefined) return sampleText(schema, values);
  const members = Object.entries(schema.properties ?? {});
  return Object.fromEntries(members.map(([name, member]) => [name, sampleOf(api, member, values)]));
}

function sampleText({ format }: Schema, { number }: HostileValues): string {
  if (format === 'date-time') return '2030-01-01T00:00:00.000Z';
  if (format === 'uuid') return `00000000-0000-4000-8000-${String(number(1e6)).padStart(12, '0')}`;
  if (format === 'email') return 'eve@example.org';
  return `Text ${number(1e6)}`;
}

function makeForm({ path }: AttackedRoute, { pick, part, isChance, number }: HostileValues): string {
  const names = path.startsWith('/auth')
    ? ACCOUNT_FIELDS
    : ['name', 'email', 'message', 'website', '__proto__[x]', 'a[]'];
  const pair = () => `${isChance(0.8) ? pick(names) : part()}=${part()}`;
  return Array.from({ length: number(8) }, pair).join(pick(['&', '&&', ';']));
}

function makeMultipart({ pick, number, text, isChance }: HostileValues): Buffer {
  const noise = Buffer.from(Array.from({ length: number(3_000) }, () => number(256)));
  const image = pick([
    noise,
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    Buffer.from('GIF89a'),
    Buffer.from('<svg onload=alert(1)>'),
  ]);
  const name = pick(['file', 'File', '', '__proto__', text().slice(0, 200)]);
  const head = `--b\r\ncontent-disposition: form-data; name="${name}"; filename="${pick(['a.png', '../x', text().slice(0, 300)])}"\r\n`;
  const parts = Array.from({ length: 1 + number(3) }, () => [head, 'content-type: image/png\r\n\r\n', image, '\r\n']);
  const end = isChance(0.8) ? '--b--\r\n' : pick(['', '--b', '--b-', '--c--\r\n']);
  return Buffer.concat([...parts.flat(), end].map((piece) => Buffer.from(piece)));
}
