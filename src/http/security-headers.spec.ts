import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
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

it('allows the style element of the toasts by its hash, and no other', () => {
  const hash = `sha256-${createHash('sha256').update(readToastStyles()).digest('base64')}`;
  expect(TOAST_STYLES_HASH).toBe(hash);
  const { all } = createSecurityHeaders({ imageOrigin: undefined, isDevelopment: false, isHttps: true });
  const [, ...allowed] = /; style-src ([^;]+);/.exec(all['content-security-policy'] ?? '')?.[1]?.split(' ') ?? [];
  const empty = `sha256-${createHash('sha256').update('').digest('base64')}`;
  // The element is empty when it comes into the page.
  expect(allowed).toEqual([`'${empty}'`, `'${hash}'`]);
});
