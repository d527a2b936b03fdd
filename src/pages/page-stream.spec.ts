import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PageSink } from './client-bundle.js';
import { PageStream } from './page-stream.js';

const HEADERS = { 'content-type': 'text/html; charset=utf-8', etag: 'W/"data"' };
const bytesOf = (text: string) => new TextEncoder().encode(text);

let renderings: PageSink[];
let page: PageStream;

beforeEach(() => {
  renderings = [];
  page = new PageStream({ status: 200, headers: HEADERS }, (sink) => renderings.push(sink));
});

function started(): PageSink {
  page.start();
  const [sink, ...others] = renderings;
  if (!sink || others.length > 0) throw new Error(`Rendered ${renderings.length} times`);
  return sink;
}

describe('PageStream', () => {
  it('is not rendered before it is started, and then once', () => {
    expect(renderings).toHaveLength(0);
    page.start();
    page.start();
    expect(renderings).toHaveLength(1);
  });

  it.each(['identity', 'gzip'] as const)(
    'comes to every visitor from its beginning, as it is made: %s',
    async (kind) => {
      const decode = (body: Buffer) => String(kind === 'gzip' ? gunzipSync(body) : body);
      const sink = started();
      const early = page.open(kind);
      sink.write(bytesOf('<head>'));
      await page.begun;
      // Before there is any more of it.
      await new Promise((resolve) => early.once('readable', resolve));
      const late = page.open(kind);
      page.open(kind).destroy();
      sink.write(bytesOf('<body>'));
      sink.end();
      const after = page.open(kind);
      for (const visitor of [early, late, after]) expect(decode(await buffer(visitor))).toBe('<head><body>');
      const whole = await page.whole;
      expect(whole).toMatchObject({ status: 200, headers: HEADERS, etag: HEADERS.etag });
      expect(String(whole.bodyIn('identity'))).toBe('<head><body>');
      expect(page.complete).toBe(whole);
    },
  );

  it('is compressed once for the stream and for what is kept', async () => {
    const sink = started();
    const visitor = page.open('gzip');
    sink.write(bytesOf('text '.repeat(1000)));
    sink.end();
    const sent = await buffer(visitor);
    const whole = await page.whole;
    expect(await whole.prepare(['gzip'])).toBe('gzip');
    expect(whole.bodyIn('gzip').equals(sent)).toBe(true);
  });

  it.each(['identity', 'gzip'] as const)(
    'breaks off for everyone when it fails, and is never whole: %s',
    async (kind) => {
      const sink = started();
      const visitor = buffer(page.open(kind));
      sink.write(bytesOf('<head>'));
      sink.fail(new Error('a component threw'));
      await expect(visitor).rejects.toThrow('a component threw');
      await expect(buffer(page.open(kind))).rejects.toThrow('a component threw');
      await expect(page.whole).rejects.toThrow('a component threw');
      expect(page.complete).toBeUndefined();
    },
  );

  it('that fails before its first piece never begins', async () => {
    started().fail(new Error('at once'));
    await expect(page.begun).rejects.toThrow('at once');
  });
});
