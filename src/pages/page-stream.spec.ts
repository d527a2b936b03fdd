import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PageOutput } from '../shared/contracts/pages.js';
import { PageStream } from './page-stream.js';

const HEADERS = { 'content-type': 'text/html; charset=utf-8', etag: 'W/"data"' };

let renderings: PageOutput[];
let page: PageStream;

beforeEach(() => {
  renderings = [];
  page = new PageStream({ status: 200, headers: HEADERS }, (output) => renderings.push(output));
});

function started(): PageOutput {
  page.start();
  const [output, ...others] = renderings;
  if (!output || others.length > 0) throw new Error(`Rendered ${renderings.length} times`);
  return output;
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
      const output = started();
      const early = page.open(kind);
      output.write('<head>');
      await page.begun;
      // Before there is any more of it.
      await new Promise((resolve) => early.once('readable', resolve));
      const late = page.open(kind);
      page.open(kind).destroy();
      output.write('<body>');
      output.end();
      const after = page.open(kind);
      for (const visitor of [early, late, after]) expect(decode(await buffer(visitor))).toBe('<head><body>');
      const whole = await page.whole;
      expect(whole).toMatchObject({ status: 200, headers: HEADERS, etag: HEADERS.etag });
      expect(String(whole.bodyIn('identity'))).toBe('<head><body>');
      expect(page.complete).toBe(whole);
    },
  );

  it('is compressed quickly, once for all who waited, and at its best for what is kept', async () => {
    const output = started();
    expect(page.quickGzip).toBeUndefined();
    output.write(Array.from({ length: 2000 }, (_, index) => `${index * 7919} `).join(''));
    output.end();
    const whole = await page.whole;
    const quick = page.quickGzip;
    expect(page.quickGzip).toBe(quick);
    expect(gunzipSync(quick ?? '').equals(whole.bodyIn('identity'))).toBe(true);
    expect(await whole.prepare(['gzip'])).toBe('gzip');
    const best = whole.bodyIn('gzip');
    expect(gunzipSync(best).equals(whole.bodyIn('identity'))).toBe(true);
    expect(best.length).toBeLessThan(quick?.length ?? 0);
  });

  it.each(['identity', 'gzip'] as const)(
    'breaks off for everyone when it fails, and is never whole: %s',
    async (kind) => {
      const output = started();
      const visitor = buffer(page.open(kind));
      output.write('<head>');
      output.destroy(new Error('a component threw'));
      await expect(visitor).rejects.toThrow('a component threw');
      await expect(buffer(page.open(kind))).rejects.toThrow('a component threw');
      await expect(page.whole).rejects.toThrow('a component threw');
      expect(page.complete).toBeUndefined();
    },
  );

  it('that fails before its first piece never begins', async () => {
    started().destroy(new Error('at once'));
    await expect(page.begun).rejects.toThrow('at once');
  });
});
