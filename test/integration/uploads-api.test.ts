import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import sharp from 'sharp';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { UploadedImage } from '../../src/shared/contracts/media.js';
import { IMAGE_MAX_BYTES } from '../../src/shared/limits.js';
import { Image } from '../../src/uploads/image.entity.js';
import { UploadsService } from '../../src/uploads/uploads.service.js';
import { createAccount, signIn } from '../support/accounts.js';
import { toAnimatedPng } from '../support/animated-png.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { until, untilEqual } from '../support/until.js';

const TOO_LARGE = {
  status: 413,
  body: {
    code: 'image_too_large',
    message: 'Image must be less than 5MB',
    fields: { file: ['Image must be less than 5MB'] },
  },
};
const BOUNDARY = 'a-line-that-no-image-holds';
const HEAD = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`;
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

let app: TestApp;
let url: string;
let admin: string;

beforeAll(async () => {
  app = await createTestApp();
  url = `${await app.listen()}/api/uploads`;
  const account = await createAccount(app);
  await app.get(RolesService).grantAdmin(OPERATOR, account.id);
  admin = (await signIn(app, account)).accessToken;
});

function makeImage(red: number): Promise<Buffer> {
  const background = { r: red, g: 0, b: 0 };
  return sharp({ create: { width: 30, height: 20, channels: 3, background } })
    .png()
    .toBuffer();
}

async function answerOf(response: Response): Promise<{ status: number; body: unknown }> {
  return { status: response.status, body: await response.json() };
}

async function upload(bytes: Uint8Array, { name = 'photo.png', type = 'image/png', token = admin } = {}) {
  const body = new FormData();
  body.append('file', new File([new Uint8Array(bytes)], name, { type }));
  const headers: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` };
  return await answerOf(await fetch(url, { method: 'POST', headers, body }));
}

async function sendRaw(body: Buffer | string, contentType = MULTIPART) {
  const headers = { authorization: `Bearer ${admin}`, 'content-type': contentType };
  return await answerOf(
    await fetch(url, { method: 'POST', headers, body: typeof body === 'string' ? body : new Uint8Array(body) }),
  );
}

describe('POST /api/uploads', () => {
  it('stores an image and says where it is; the same one is stored once, whoever sends it when', async () => {
    const bytes = await makeImage(20);
    const answers = await Promise.all([1, 2, 3].map(() => upload(bytes)));
    answers.push(await upload(bytes, { name: '../../x.exe', type: 'text/html' }));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const images = answers.map(({ body }) => body as UploadedImage);
    expect(images.filter(({ isNew }) => isNew)).toHaveLength(1);
    const [image] = images;
    expect(image).toMatchObject({ width: 30, height: 20, url: `/media/${image!.name}`, bytes: expect.any(Number) });
    expect(new Set(images.map((each) => each.url)).size).toBe(1);
    expect((await app.inject(image!.url)).headers['content-type']).toBe('image/png');
  });

  it('keeps the name of the file as its sender has it, of which browsers escape three signs', async () => {
    const { body } = await upload(await makeImage(21), { name: 'the 19" rack, 100%20 full\n.png' });
    const { name } = body as UploadedImage;
    const image = await app.get(EntityManager).fork().findOneOrFail(Image, { name });
    expect(image.fileName).toBe('the 19" rack, 100%20 full .png');
  });

  it('composes the name of a file, whose accents a Mac sends apart', async () => {
    const { body } = await upload(await makeImage(22), { name: 'Bu\u0308ro.png' });
    const { name } = body as UploadedImage;
    const image = await app.get(EntityManager).fork().findOneOrFail(Image, { name });
    expect(image.fileName).toBe('B\u00fcro.png');
  });

  it('is for administrators, and reads nothing of others', async () => {
    const bytes = await makeImage(40);
    const { accessToken } = await signIn(app, await createAccount(app));
    expect(await upload(bytes, { token: '' })).toMatchObject({ status: 401, body: { code: 'no_authorization' } });
    expect(await upload(bytes, { token: accessToken })).toMatchObject({ status: 403, body: { code: 'not_admin' } });
    expect(await upload(bytes)).toMatchObject({ body: { isNew: true } });
  });

  itSlow('draws the line below 5 MB', async () => {
    const end = `\r\n--${BOUNDARY}--\r\n`;
    const bytes = Buffer.concat([await makeImage(60), Buffer.alloc(IMAGE_MAX_BYTES)]).subarray(0, IMAGE_MAX_BYTES);
    expect(await upload(bytes)).toMatchObject(TOO_LARGE);
    // What follows the end of a PNG is not looked at, nor kept.
    expect(await upload(bytes.subarray(1))).toMatchObject({ status: 415 });
    expect(await upload(bytes.subarray(0, -1))).toMatchObject({ status: 201 });
    expect(
      await sendRaw(Buffer.concat([Buffer.from(HEAD), Buffer.alloc(IMAGE_MAX_BYTES + 100_000), Buffer.from(end)])),
    ).toMatchObject(TOO_LARGE);
  });

  it('ends the reading of a stream that does not say how long it is', async () => {
    const sender = httpRequest(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, 'content-type': MULTIPART },
    });
    sender.write(HEAD);
    const answered = once(sender, 'response') as Promise<[IncomingMessage]>;
    const progress = { isAnswered: false };
    void answered.then(() => (progress.isAnswered = true));
    let sent = 0;
    const chunk = Buffer.alloc(256 * 1024);
    // It would go on for long.
    while (!progress.isAnswered && sent < 1000) {
      sent += 1;
      await new Promise((done) => sender.write(chunk, done));
    }
    const [answer] = await answered;
    expect({ status: answer.statusCode, body: JSON.parse(await text(answer)) as unknown }).toMatchObject(TOO_LARGE);
    expect(sent).toBeLessThan(1000);
    sender.destroy();
  });

  const refused: readonly (readonly [string, number, string, () => Promise<Buffer>])[] = [
    [
      'an SVG',
      415,
      'SVG images are not accepted',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    ],
    ['a web page', 415, 'This is not a JPEG, PNG', async () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a HEIC photograph', 415, 'This is a HEIC image', async () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic')],
    ['an animated PNG', 415, 'would stand still here: use a GIF', async () => toAnimatedPng(await makeImage(90))],
    ['an image that was cut off', 422, 'The image is damaged', async () => (await makeImage(80)).subarray(0, 60)],
    ['an empty file', 422, 'The image file is empty', async () => Buffer.alloc(0)],
  ];

  it.each(fewOf(refused, ([name]) => !name.endsWith('cut off')))(
    'refuses %s, whatever it is called',
    async (_, status, message, make) => {
      const answer = await upload(await make());
      expect(answer).toMatchObject({ status, body: { message: expect.stringContaining(message) } });
      const { message: whole } = answer.body as { message: string };
      expect(answer.body).toMatchObject({ code: expect.stringMatching(/^image_/), fields: { file: [whole] } });
    },
  );

  it.each([
    ['no form', 415, 'multipart_expected', () => sendRaw('{}', 'application/json')],
    [
      'a form without a file',
      400,
      'file_missing',
      () => sendRaw(`--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"\r\n\r\ntext\r\n--${BOUNDARY}--\r\n`),
    ],
    [
      'a file in another field',
      400,
      'file_missing',
      async () => sendRaw(HEAD.replace('"file"', '"other"') + `x\r\n--${BOUNDARY}--\r\n`),
    ],
    ['an empty form', 400, 'file_missing', () => sendRaw('')],
    ['a form that breaks off', 400, 'upload_broken', () => sendRaw(`${HEAD}half an image`)],
    ['two files', 413, 'too_many_parts', () => sendRaw(`${HEAD}one\r\n${HEAD}two\r\n--${BOUNDARY}--\r\n`)],
    ['no boundary', 400, 'upload_broken', () => sendRaw('x', 'multipart/form-data')],
  ])('refuses %s', async (_, status, code, send) => {
    expect(await send()).toMatchObject({ status, body: { code, message: expect.any(String) } });
  });

  it('stores nothing of an upload whose sender goes away', async () => {
    const requests: string[] = [];
    const { storeImage } = UploadsService.prototype;
    // A spy, as this class is that of the tests that follow in this process, also where this one fails.
    jest.spyOn(UploadsService.prototype, 'storeImage').mockImplementation(async function (
      this: UploadsService,
      ...image
    ) {
      requests.push('stored');
      return await storeImage.apply(this, image);
    });
    const sender = httpRequest(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, 'content-type': MULTIPART },
    });
    sender.on('error', () => undefined);
    sender.write(HEAD);
    await new Promise((done) => sender.write(Buffer.alloc(200_000), done));
    const { server } = app.app.getHttpAdapter().getInstance() as { server: Server };
    const connections = () => new Promise<number>((tell) => server.getConnections((_, count) => tell(count)));
    const before = await connections();
    sender.destroy();
    await until(async () => (await connections()) < before);
    expect((await upload(await makeImage(100))).status).toBe(201);
    expect(requests).toEqual(['stored']);
  });

  it.each([
    ['/api/uploads', MULTIPART],
    ['/api/contact', 'application/json'],
    ['/contact', 'application/x-www-form-urlencoded'],
  ])('%s answers a request that names the type of a body and has none', async (path, type) => {
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    const lines = [`POST ${path} HTTP/1.1`, 'host: site', `authorization: Bearer ${admin}`, `content-type: ${type}`];
    socket.write([...lines, 'connection: close', '', ''].join('\r\n'));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 4(00|06|15) /);
  });

  it('is described for programs', async () => {
    const api = (await app.inject('/api/openapi.json')).json<{ paths: Record<string, unknown> }>();
    expect(api.paths['/api/uploads']).toMatchObject({
      post: {
        security: [{ bearer: [] }],
        requestBody: { content: { 'multipart/form-data': {} } },
        responses: { 201: { content: { 'application/json': {} } }, 401: {}, 403: {}, 413: {}, 415: {}, 422: {} },
      },
    });
    expect(api.paths['/api/admin/media']).toHaveProperty('get.responses.200');
    expect(api.paths['/api/admin/media/{id}']).toHaveProperty('delete.responses.409');
  });
});

describe('senders who hang up in the middle of their upload', () => {
  itSlow('leave room for others, whenever they do and however many they are', async () => {
    const { hostname, port } = new URL(url);
    const head = [
      ...['POST /api/uploads HTTP/1.1', `host: ${hostname}`, `authorization: Bearer ${admin}`],
      ...[`content-type: ${MULTIPART}`, 'content-length: 5000', '', HEAD],
    ].join('\r\n');
    /** Before somebody looks who they are, meanwhile, while it is read: `wait` is in milliseconds. */
    const hangUp = async (wait: number) => {
      const sender = connect(Number(port), hostname).on('error', () => undefined);
      await once(sender, 'connect');
      sender.write(head + 'x'.repeat(1000));
      await delay(wait);
      sender.resetAndDestroy();
    };
    // In the end more than may be under way at once.
    for (let wait = 0; wait < 12; wait += 1) await Promise.all(Array.from({ length: 12 }, () => hangUp(wait)));
    const body = new FormData();
    body.set('file', new Blob([Uint8Array.from(await makeImage(77))]), 'a.png');
    await untilEqual(
      async () => (await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${admin}` }, body })).status,
      201,
    );
  });
});
