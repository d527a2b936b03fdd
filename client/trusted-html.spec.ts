import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const CLIENT = fileURLToPath(new URL('.', import.meta.url));

/** Ways in which text becomes HTML or code, and the one function that the page's policy lets do it. */
const SINKS =
  /\.(?:inner|outer)HTML =|insertAdjacentHTML|document\.write|parseFromString|createContextualFragment|srcdoc|setHTMLUnsafe|new (?:Shared)?Worker|new Function|\beval\(|createPolicy|trustHtml\(/g;

/** Where decision 58 allows them, and for what. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  // What libraries write, and the modules of the page.
  'before-paint.ts': ['createPolicy'],
  'lib/trusted-html.ts': ['createPolicy', 'createPolicy', 'trustHtml('],
  // HTML that is only read.
  'lib/parse-html.ts': ['.innerHTML =', 'parseFromString', 'trustHtml(', 'trustHtml('],
  // The first script of the build.
  'document.tsx': ['trustHtml('],
  // The sanitized content of a post.
  'features/posts/post-article.tsx': ['trustHtml('],
  // The sanitized comments below it.
  'features/posts/post-comments.tsx': ['trustHtml('],
};

it('makes HTML of text in these places only', () => {
  const files = readdirSync(CLIENT, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file) && !/\.spec\.tsx?$/.test(file));
  const found = files.flatMap((file): [string, string[]][] => {
    const words = readFileSync(CLIENT + file, 'utf8').match(SINKS) ?? [];
    return words.length > 0 ? [[file, [...words].sort()]] : [];
  });
  expect(Object.fromEntries(found)).toEqual(ALLOWED);
});
