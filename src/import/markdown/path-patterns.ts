/** Returns true for a text that a pattern of paths (`**`, `*`, `?`, `{a,b}`) means; what is no pattern means everything. */
export function fits(pattern: unknown, text: string): boolean {
  if (typeof pattern !== 'string' || pattern === '') return true;
  const expression = pattern
    .toLowerCase()
    .replace(/[.+^$()|[\]\\]/g, '\\$&')
    .replace(/\*\*|\*|\?|\{|\}|,/g, (sign) => SIGNS[sign] ?? sign);
  try {
    return new RegExp(`^(?:${expression})$`).test(text.toLowerCase());
  } catch {
    return true;
  }
}

const SIGNS: Readonly<Record<string, string>> = {
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
  '{': '(?:',
  '}': ')',
  ',': '|',
};
