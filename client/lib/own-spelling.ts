/**
 * Returns a path as links of this site escape it. Browsers leave it as it was asked for, and a page has to say the same of
 * itself there as on the server: React would put a second address beside the first.
 */
export function toOwnSpelling(path: string): string {
  if (/^[\w\-/.~]*$/.test(path)) return path;
  try {
    return path
      .split('/')
      .map((part) => encodeURIComponent(decodeURIComponent(part)))
      .join('/');
  } catch {
    return path;
  }
}
