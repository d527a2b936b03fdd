import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const CLIENT = fileURLToPath(new URL('.', import.meta.url));

/** Names of the ways around React: HTML as text, and differences that are not reported. */
const WAYS_AROUND = ['dangerouslySetInnerHTML', 'suppressHydrationWarning', 'renderToString', 'renderToStaticMarkup'];

/** Where decision 42 allows them, how often, and for what. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  // The theme on the root element, set before React arrives; the first script; the page's state as JSON.
  'document.tsx': [
    ...['dangerouslySetInnerHTML', 'dangerouslySetInnerHTML'],
    ...['suppressHydrationWarning', 'suppressHydrationWarning'],
  ],
  // Structured data as JSON.
  'lib/head.tsx': ['dangerouslySetInnerHTML'],
  // The sanitized content of a post.
  'features/posts/post-article.tsx': ['dangerouslySetInnerHTML', 'suppressHydrationWarning'],
  // The sanitized comments below it, which are one text however many there are.
  'features/posts/post-comments.tsx': ['dangerouslySetInnerHTML', 'suppressHydrationWarning'],
  // Lines of the archive, which React leaves as the server rendered them.
  'features/posts/post-archive.tsx': ['dangerouslySetInnerHTML', 'suppressHydrationWarning'],
};

it('puts HTML as text into the page in these places only', () => {
  const files = readdirSync(CLIENT, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file) && !/\.spec\.tsx?$/.test(file));
  const found = files.flatMap((file): [string, string[]][] => {
    const words = readFileSync(CLIENT + file, 'utf8').match(new RegExp(WAYS_AROUND.join('|'), 'g')) ?? [];
    return words.length > 0 ? [[file, [...words].sort()]] : [];
  });
  expect(Object.fromEntries(found)).toEqual(ALLOWED);
});
