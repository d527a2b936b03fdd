/**
 * Returns the address that a text is, null for none. Here and in the client in place of `URL.parse` and `URL.canParse`, which
 * browsers that are served do not have (product.md 2.18).
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
