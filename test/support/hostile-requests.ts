import { adminPaths } from '../../src/shared/admin-paths.js';
import { paths } from '../../src/shared/paths.js';
import {
  boastfulPng,
  filePart,
  MULTIPART,
  multipartBody,
  postBytes,
  requestBytes,
  type HeaderLines,
} from './request-bytes.js';

/** A request as nobody sends one who means well; made anew each time, as parts of it are left to chance. */
export interface Hostile {
  readonly name: string;
  readonly make: () => Buffer;
}

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const TARGETS = [
  ...['//', '///', '//%20x', '//evil.example/x/', '/\\evil.example/', '*', 'http://evil.example/', '/;', '/..%2f/etc'],
  ...[
    '/%',
    '/%00',
    '/%E0%A4%A',
    '/blogs/%ED%A0%80',
    '/blogs/%C0%80/',
    '/x%0d%0aset-cookie:a/',
    '/?%E0%A4%A',
    '/a/%00/',
  ],
  ...['/api/posts/%00', '/api/posts/%E0', '/api/previews/%00', '/api/none', '/media/%00', '/media/..%2f..%2fx.png'],
  ...['/assets/%00', '/assets/../../x', '/auth/v1/%E0', '/auth/v1/verify?token=%00&type=signup', '/api/docs/%00'],
  ...[`/media/${'0'.repeat(32)}-99999999999999999999x1.png`, '/auth/v1/verify?redirect_to=%00', '/preview/%00'],
  ...['/api/admin/media', '/admin/../api/me', '/x?q[__proto__]=1', '/blogs?constructor=1', '/rss.xml/'],
];
const HEADERS: readonly HeaderLines[] = [
  ['range: bytes=0-0,5-,-1,9-2'],
  ['range: bytes=99999999999999999999-'],
  ['if-none-match: W/"x", *, "', 'if-modified-since: never'],
  ['accept-encoding: br;q=x, identity;q=0, *;q=0'],
  ['authorization: Bearer a.b.c'],
  ['authorization: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJcdTAwMDAifQ.'],
  ['authorization: Basic ==='],
  ['host: another.example', 'host: third.example'],
  ['x-forwarded-for: \'"><script>, ::, 1.1.1.1', 'x-forwarded-host: ">', 'x-forwarded-proto: javascript'],
  ['cookie: =; a=%E0%A4%A; __proto__=1', 'cookie: b'],
  ['expect: a miracle'],
  ['expect:'],
  ['connection: upgrade', 'upgrade: websocket'],
  ['content-length: 5'],
  ['transfer-encoding: gzip'],
  ['content-length: 2', 'content-length: 3'],
  ['content-length: 2', 'transfer-encoding: chunked'],
  ['content-length: -1'],
  ['x: a\0b'],
  ['no colon at all'],
  ['x-supabase-api-version: 9999-99-99', 'redirect_to: javascript:alert(1)', 'x-jwt-aud: \xff'],
];
const BODIES = [
  ...['', '{', 'null', '[]', '1', '"x"', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":1}}', 'hello', '<a/>'],
  ...[
    '{"name":"\\u0000","email":"a@b.co","message":"x"}',
    '{"email":"a@b.co","password":"\\ud800"}',
    '{}\0',
    '\xff\xfe',
  ],
  ...[
    '{"email":{"$ne":1},"password":["x"]}',
    '{"refresh_token":"\\u0000"}',
    '{"email":"a@b.co","data":{"a":"\\u0000"}}',
  ],
  ...['{"type":"signup","token":"\\u0000"}', '{"title":1,"tags":[[]],"content":{}}', 'a=%E0%A4%A&b=%&__proto__[x]=1'],
  ...[`${'['.repeat(5_000)}${']'.repeat(5_000)}`, '{"a":'.repeat(3_000) + '1' + '}'.repeat(3_000)],
];
const TYPES = [
  ...[JSON_TYPE, FORM, MULTIPART, 'multipart/form-data', 'text/plain', 'application/xml', ';;//', 'application/json;'],
  ...[`${JSON_TYPE}; charset=utf-16`, `${JSON_TYPE}\r\ncontent-encoding: gzip`, `${JSON_TYPE}\r\ncontent-encoding: x`],
];
const DOORS = [
  ...[paths.api.contact, paths.contact, paths.home, paths.api.uploads, adminPaths.posts, '/api/nowhere'],
  ...['/auth/v1/signup', '/auth/v1/token?grant_type=password', '/auth/v1/token?grant_type=refresh_token'],
  ...['/auth/v1/verify', '/auth/v1/otp', '/auth/v1/recover', '/functions/v1/send-contact-email', '/auth/v1/%00'],
];
const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'CONNECT',
  'NONSENSE',
];

/**
 * Everything hostile that there is here, by name.
 * @param random decides what is left to chance
 * @param accessToken of an administrator: some know one
 */
export function hostileRequests(random: () => number, accessToken: string): Hostile[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const noise = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
  const cut = (bytes: Buffer) => bytes.subarray(0, 1 + Math.floor(random() * (bytes.length - 1)));
  const admin = [`authorization: Bearer ${accessToken}`];
  const valid = () =>
    postBytes(paths.api.contact, JSON_TYPE, '{"name":"Eve","email":"eve@example.org","message":"Hello."}');
  const post = () => postBytes(pick(DOORS), pick(TYPES), pick(BODIES), random() < 0.5 ? admin : []);
  return [
    { name: 'an address', make: () => requestBytes(`${pick(METHODS)} ${pick(TARGETS)}`, ['connection: close']) },
    { name: 'an address of an administrator', make: () => requestBytes(`GET ${pick(TARGETS)}`, admin) },
    { name: 'headers', make: () => requestBytes(`GET ${pick([paths.home, paths.api.me])}`, pick(HEADERS)) },
    { name: 'headers of a body', make: () => postBytes(pick(DOORS), pick(TYPES), pick(BODIES), pick(HEADERS)) },
    { name: 'a body', make: post },
    { name: 'half a request', make: () => cut(post()) },
    { name: 'half an enquiry', make: () => cut(valid()) },
    {
      name: 'half an upload',
      make: () => cut(postBytes(paths.api.uploads, MULTIPART, multipartBody([filePart(noise(5_000))]), admin)),
    },
    {
      name: 'an image that is none',
      make: () => postBytes(paths.api.uploads, MULTIPART, multipartBody([filePart(noise(2_000), '\0"')]), admin),
    },
    {
      name: 'an image that boasts',
      make: () =>
        postBytes(paths.api.uploads, MULTIPART, multipartBody([filePart(boastfulPng(60_000, 60_000))]), admin),
    },
    { name: 'random bytes', make: () => noise(1 + Math.floor(random() * 3_000)) },
    {
      name: 'a request with a flipped byte',
      make: () => {
        const bytes = Buffer.from(random() < 0.5 ? post() : valid());
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
        return bytes;
      },
    },
    {
      name: 'chunks that are none',
      make: () =>
        requestBytes(
          `POST ${pick(DOORS)}`,
          ['content-type: application/xml', 'transfer-encoding: chunked'],
          noise(200),
        ),
    },
    { name: 'an old version', make: () => Buffer.from(`GET ${pick(TARGETS)} HTTP/1.0\r\n\r\n`) },
    { name: 'no host', make: () => Buffer.from('GET / HTTP/1.1\r\n\r\n') },
    {
      name: 'another protocol',
      make: () => pick([Buffer.from('\x16\x03\x01\x02\0\x01\0'), Buffer.from('PRI * HTTP/2.0\r\n\r\n')]),
    },
    { name: 'many at once', make: () => Buffer.concat([valid(), post(), cut(valid())]) },
    {
      name: 'ids and searches of an administrator',
      make: () => {
        const path = pick(['/posts/%00', '/media/%00', '/posts?q=%00', '/enquiries?cursor=%00', '/posts?limit=-1']);
        return requestBytes(`${pick(['GET', 'DELETE'])} /api/admin${path}`, admin);
      },
    },
  ];
}
