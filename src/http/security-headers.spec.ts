import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import type { InlineTexts } from '../shared/contracts/pages.js';
import { createSecurityHeaders, TOAST_STYLES_HASH } from './security-headers.js';

/** The style element that sonner makes when it is imported, from the package as published. */
function readToastStyles(): string {
  const code = readFileSync(new URL('../../node_modules/sonner/dist/index.js', import.meta.url), 'utf8');
  const texts: string[] = [];
  const element = { appendChild: (text: string) => texts.push(text) };
  const document = {
    head: { appendChild: () => 0 },
    createElement: () => element,
    createTextNode: (text: string) => text,
  };
  runInNewContext(code, { document, require: createRequire(import.meta.url), exports: {} });
  if (texts.length !== 1) throw new Error(`sonner makes ${texts.length} style elements instead of one`);
  return texts[0]!;
}

function toHashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** The sources that the policy allows for one kind of element. */
function sourcesOf(directive: string, inlineTexts: InlineTexts | null): string[] {
  const { all } = createSecurityHeaders({ imageOrigin: undefined, isDevelopment: false, isHttps: true, inlineTexts });
  const found = all['content-security-policy']?.split('; ').find((part) => part.startsWith(`${directive} `));
  return found?.split(' ').slice(1) ?? [];
}

it('allows the style element of the toasts by its hash, and no other', () => {
  const hash = `sha256-${createHash('sha256').update(readToastStyles()).digest('base64')}`;
  expect(TOAST_STYLES_HASH).toBe(hash);
  // The element is empty when it comes into the page.
  expect(sourcesOf('style-src', null)).toEqual(["'self'", toHashSource(''), `'${hash}'`]);
});

it('allows the texts of the build by their hashes, and nothing unsafe', () => {
  const texts = { style: 'a { color: red }', firstScript: 'run()' };
  expect(sourcesOf('style-src', texts)).toContain(toHashSource(texts.style));
  expect(sourcesOf('script-src', texts)).toEqual(["'self'", toHashSource(texts.firstScript)]);
  expect(sourcesOf('script-src', null)).toEqual(["'self'"]);
  expect(sourcesOf('style-src', texts).join(' ')).not.toContain('unsafe');
});

it('forbids what it does not name, on every page and on that of the documentation', () => {
  const options = { imageOrigin: undefined, isDevelopment: false, isHttps: true, inlineTexts: null };
  const { all, docs } = createSecurityHeaders(options);
  for (const headers of [all, docs]) {
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toMatch(/^default-src 'none'; /);
    // These do not follow default-src, or ask what scripts may.
    for (const name of ['base-uri', 'form-action', 'frame-ancestors', 'worker-src'])
      expect(policy).toContain(`; ${name} `);
    expect(policy).not.toContain('unsafe-eval');
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  }
});

it('keeps browsers on https, and the site out of frames, plug-ins and other bases', () => {
  for (const [directive, source] of Object.entries({
    'object-src': "'none'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    'form-action': "'self'",
    'connect-src': "'self'",
    'font-src': "'self'",
  })) {
    expect([directive, sourcesOf(directive, null)]).toEqual([directive, [source]]);
  }
  const options = { imageOrigin: undefined, isDevelopment: false, inlineTexts: null };
  const { all } = createSecurityHeaders({ ...options, isHttps: true });
  expect(all).toMatchObject({
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
  });
  expect(createSecurityHeaders({ ...options, isHttps: false }).all).not.toHaveProperty('strict-transport-security');
});
