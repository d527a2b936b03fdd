import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { paths } from '../../src/shared/paths.js';
import { createAccount, signIn } from '../support/accounts.js';
import { createTestApp } from '../support/create-test-app.js';
import { speakTo, type RawConnection } from '../support/raw-connection.js';

interface Said {
  readonly status: number;
  readonly headers: string;
  readonly body: Record<string, unknown>;
}

/** The last answer on a connection. */
function parse(text: string): Said {
  const last = text.slice(text.lastIndexOf('HTTP/1.1 '));
  const [headers = '', body = ''] = last.split('\r\n\r\n');
  return {
    status: Number(headers.slice(9, 12)),
    headers: headers.toLowerCase(),
    body: JSON.parse(body || '{}') as Record<string, unknown>,
  };
}

const head = (path: string, type: string, length: number, more = '') =>
  `POST ${path} HTTP/1.1\r\nhost: site.test\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n${more}\r\n`;

let url: string;
/** The head of an upload that is allowed, and its body. */
let upload: { readonly head: string; readonly body: Buffer };

beforeAll(async () => {
  const app = await createTestApp({ AUTH_BASE_PATH: '/auth/v1' });
  url = await app.listen();
  const account = await createAccount(app);
  await app.get(RolesService).grantAdmin(OPERATOR, account.id);
  const { accessToken } = await signIn(app, account);
  const form = new FormData();
  const picture = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  form.append('file', new File([new Uint8Array(picture)], 'teal.png', { type: 'image/png' }));
  const whole = new Response(form);
  const type = whole.headers.get('content-type') ?? '';
  const body = Buffer.from(await whole.arrayBuffer());
  upload = {
    head: head(paths.api.uploads, type, body.length, `authorization: Bearer ${accessToken}\r\nconnection: close\r\n`),
    body,
  };
});

describe('those who send slowly', () => {
  it('are answered in the shape that the address has, after ten seconds, and let go', async () => {
    const half = `{"name": "Half of`;
    const [json, form, account, unknown, header, silent, stuck, moving, refused] = await Promise.all([
      speakTo(url, head(paths.api.contact, 'application/json', 1000) + half),
      speakTo(url, head(paths.contact, 'application/x-www-form-urlencoded', 1000) + 'name=Half'),
      speakTo(url, head('/auth/v1/signup', 'application/json', 1000) + half),
      speakTo(url, head('/api/nothing', 'application/json', 1000) + half),
      speakTo(url, 'GET / HTTP/1.1\r\nhost: site.te'),
      speakTo(url),
      speakTo(url, Buffer.concat([Buffer.from(upload.head), upload.body.subarray(0, 20)])),
      speakTo(url, upload.head),
      speakTo(url, head(paths.api.contact, 'application/json', 50_000_000) + half),
    ]);
    // A file may take longer than anything else, as long as some of it comes.
    let sent = 0;
    const feeding = setInterval(() => moving.say(upload.body.subarray(sent, (sent += 1))), 500);

    const answerTo = async (connection: RawConnection) => parse(await connection.closed);
    const late = { status: 408, body: { code: 'request_timeout' } };
    expect(await answerTo(refused)).toMatchObject({ status: 413, body: { code: 'request_too_large' } });
    for (const connection of [json, form, unknown, stuck]) {
      const answer = await answerTo(connection);
      expect(answer).toMatchObject(late);
      expect(answer.headers).toContain('connection: close');
      expect(answer.body['message']).toMatch(/took too long/);
    }
    expect(await answerTo(header)).toMatchObject(late);
    expect(await answerTo(account)).toMatchObject({ status: 504, body: { error_code: 'request_timeout', code: 504 } });
    expect(await silent.closed).toBe('');

    clearInterval(feeding);
    moving.say(upload.body.subarray(sent));
    expect(await answerTo(moving)).toMatchObject({ status: 201, body: { width: 30 } });
  });

  it('do not keep others waiting on the same connection, nor those who were refused', async () => {
    const enquiry = JSON.stringify({ name: '' });
    const connection = await speakTo(url, head(paths.api.contact, 'application/json', enquiry.length) + enquiry);
    connection.say('GET /api/health/live HTTP/1.1\r\nhost: site.test\r\nconnection: close\r\n\r\n');
    const heard = await connection.closed;
    expect(heard).toMatch(/^HTTP\/1\.1 422|^HTTP\/1\.1 400/);
    expect(parse(heard)).toMatchObject({ status: 200, body: { status: 'ok' } });
  });
});
