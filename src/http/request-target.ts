/** Nothing here needs work; nearly all addresses are like that. */
const PLAIN = /^\/(?!\/)[\w\-./~]*(?:\?|$)/;
/** Scheme and host of a target in absolute form, which servers have to take (RFC 9112, section 3.2.2). */
const ORIGIN = /^[a-z][\w+.-]*:\/\/[^/?#]*/i;

/**
 * The target of a request as every room reads it: a path with one slash in front, as two begin the name of a host, which
 * can be decoded and has no backslash, as browsers take one for a slash. What cannot be decoded becomes the address of
 * nothing. The query stays as it is.
 */
export function readTarget(target: string): string {
  if (PLAIN.test(target)) return target;
  const relative = target.replace(ORIGIN, '');
  const queryAt = relative.indexOf('?');
  const path = queryAt < 0 ? relative : relative.slice(0, queryAt);
  const query = queryAt < 0 ? '' : relative.slice(queryAt);
  const rooted = path.replace(/^[/\\]*/, '/').replaceAll('\\', '%5C');
  return (canDecode(rooted) ? rooted : rooted.replaceAll('%', '%25')) + query;
}

function canDecode(path: string): boolean {
  try {
    // The build leaves out what has no use, and takes this for a call that cannot fail.
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}
