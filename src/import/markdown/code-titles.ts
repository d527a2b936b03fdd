import { findFences } from './markdown-in-html.js';

const title =
  /(?:^|[\s,{:])(?:title|filename|file|caption)\s?[=:]\s?(?:"([^"\n]{1,200})"|'([^'\n]{1,200})'|([^\s"',}]{1,200}))/;
const MAX_NAMED = 5;

/** Names the titles that a text gives its code in fences (```js title="a.js"), which plugins and themes show above it. */
export function nameCodeTitles(markdown: string): string[] {
  const titles = findFences(markdown).flatMap(({ start }) => {
    const info = /^[^`~]*[`~]+([^\n]*)/.exec(markdown.slice(start, start + 500))?.[1] ?? '';
    const [, double, single, plain] = title.exec(info) ?? [];
    return double ?? single ?? plain ?? [];
  });
  if (titles.length === 0) return [];
  const more = titles.length > MAX_NAMED ? ` and ${titles.length - MAX_NAMED} more` : '';
  return [`titles of code were left out: ${titles.slice(0, MAX_NAMED).join(', ')}${more}`];
}
