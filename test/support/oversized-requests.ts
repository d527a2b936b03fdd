import { adminPaths } from '../../src/shared/admin-paths.js';
import { paths } from '../../src/shared/paths.js';
import {
  boastfulPng,
  chunkedBytes,
  filePart,
  MULTIPART,
  multipartBody,
  postBytes,
  requestBytes,
} from './request-bytes.js';

/** A request that is too large somewhere, and the status with which it is refused, or taken all the same. */
export interface Oversized {
  readonly name: string;
  readonly bytes: Buffer;
  readonly status: number;
}

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const TOKEN = '/auth/v1/token?grant_type=password';

/** Everything that can be too large, as an administrator with this access token may send it. */
export function oversizedRequests(accessToken: string): Oversized[] {
  const admin = [`authorization: Bearer ${accessToken}`];
  const item = (status: number, name: string, bytes: Buffer): Oversized => ({ name, bytes, status });
  const text = (length: number) => 'x'.repeat(length);
  const deep = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
  const get = (status: number, name: string, target: string, headers: readonly string[] = []) =>
    item(status, name, requestBytes(`GET ${target}`, headers));
  const post = (status: number, name: string, path: string, body: object | string) =>
    item(status, name, postBytes(path, JSON_TYPE, typeof body === 'string' ? body : JSON.stringify(body), admin));
  const upload = (status: number, name: string, parts: readonly (string | Buffer)[]) =>
    item(status, name, postBytes(paths.api.uploads, MULTIPART, multipartBody(parts), admin));
  const chunked = (status: number, path: string, type: string, body: Buffer) =>
    item(status, `chunks without an end for ${path}`, chunkedBytes(path, type, body, admin));
  const endless = Buffer.alloc(5_500_000, 'x');
  const manyHeaders = Array.from({ length: 3_000 }, (_, index) => `x-${index}: a`);
  const trailers = requestBytes(
    `POST ${paths.api.contact}`,
    [`content-type: ${JSON_TYPE}`, 'transfer-encoding: chunked'],
    `2\r\n{}\r\n0\r\n${'x: y\r\n'.repeat(5_000)}\r\n`,
  );

  return [
    get(431, 'a header', '/', [`x: ${text(20_000)}`]),
    get(431, 'the headers together', '/', manyHeaders),
    get(431, 'cookies', '/', [`cookie: ${'a=b; '.repeat(5_000)}`]),
    get(200, 'cookies that just fit', '/', [`cookie: ${'a=b; '.repeat(3_000)}`]),
    get(431, 'an address', `/${text(20_000)}`),
    get(404, 'an address that just fits', `/${text(15_000)}`),
    get(200, 'a query', `/?${'a=1&'.repeat(3_000)}`),
    get(404, 'a slug', paths.blog(text(5_000))),
    get(404, 'the token of a preview', paths.api.preview(text(5_000))),
    get(422, 'a search', `${adminPaths.posts}?q=${text(10_000)}`, admin),
    get(401, 'an access token', paths.api.me, [`authorization: Bearer ${text(12_000)}`]),
    get(403, 'an access token of accounts', '/auth/v1/user', [`authorization: Bearer ${text(12_000)}`]),
    item(431, 'trailers', trailers),

    post(413, 'an enquiry', paths.api.contact, { message: text(1_200_000) }),
    post(400, 'a message', paths.api.contact, { name: 'Pat', email: 'pat@example.org', message: text(500_000) }),
    post(400, 'the depth of an enquiry', paths.api.contact, deep(20_000)),
    item(413, 'a form', postBytes(paths.contact, FORM, `name=${text(1_200_000)}`)),
    item(400, 'the number of fields', postBytes(paths.contact, FORM, 'a=1&'.repeat(100_000))),
    post(413, 'a post', adminPaths.posts, { content: text(4_500_000) }),
    post(400, 'the depth of a post', adminPaths.posts, `{"title":${deep(20_000)}}`),
    post(422, 'a tag', adminPaths.posts, { tags: [text(1_000_000)] }),
    post(422, 'the depth of a text', adminPaths.posts, { content: '<ul><li>'.repeat(20_000) }),
    post(422, 'the number of posts at once', `${adminPaths.bulk}`, {
      posts: Array(50_000).fill({ id: text(36) }),
    }),
    post(413, 'a call of accounts', TOKEN, { password: text(1_200_000) }),
    post(400, 'a password', TOKEN, { email: 'pat@example.org', password: text(900_000) }),
    post(400, 'an email address', '/auth/v1/signup', { email: `${text(100_000)}@b.co`, password: 'secret 12' }),
    post(400, 'the depth of metadata', '/auth/v1/signup', `{"email":"a@b.co","data":${deep(20_000)}}`),

    upload(413, 'a file', [filePart(Buffer.alloc(5_500_000, 1))]),
    upload(413, 'the number of parts', Array(10_000).fill('content-disposition: form-data; name="a"\r\n\r\nv')),
    upload(413, 'the number of files', Array(1_000).fill(filePart(Buffer.from('x')))),
    upload(400, 'the name of a part', [`content-disposition: form-data; name="${text(200_000)}"\r\n\r\nv`]),
    upload(422, 'the pixels of an image', [filePart(boastfulPng(60_000, 60_000))]),
    upload(422, 'the sides of an image', [filePart(boastfulPng(2_147_483_647, 2_147_483_647))]),

    chunked(413, paths.api.contact, JSON_TYPE, endless),
    chunked(413, paths.contact, FORM, endless),
    chunked(413, adminPaths.posts, JSON_TYPE, endless),
    chunked(413, TOKEN, JSON_TYPE, endless),
    chunked(413, '/nothing-here', JSON_TYPE, endless),
    chunked(413, paths.api.uploads, MULTIPART, multipartBody([filePart(endless)])),
  ];
}
