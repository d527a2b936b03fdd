/** Nothing here needs work; nearly all addresses are like that. */
const PLAIN = /^(?:\/(?![/.])[\w\-.~]*)+(?:\?|$)/;
/** Scheme and host of a target in absolute form, which servers have to take (RFC 9112, section 3.2.2). */
const ORIGIN = /^[a-z][\w+.-]*:\/\/[^/?#]*/i;
/** Escapes that mean something else than their character, and what a path may not have as it is (RFC 3986, section 3.3). */
const ESCAPED = /%[0-9a-f]{2}|[^\w\-.~!$&'()*+,;=:@/]/giu;

/**
 * The target of a request as every room reads it: a path in its one spelling, which begins with one slash, as two begin
 * the name of a host, and can be decoded. Letters are not escaped, everything else is, and dots do not lead up. What
 * cannot be decoded becomes the address of nothing. The query stays as it is.
 */
export function readTarget(target: string): string {
  if (PLAIN.test(target)) return target;
  const relative = target.replace(ORIGIN, '');
  const queryAt = relative.indexOf('?');
  const path = queryAt < 0 ? relative : relative.slice(0, queryAt);
  const query = queryAt < 0 ? '' : relative.slice(queryAt);
  return toPlainPath(path) + query;
}

function toPlainPath(path: string): string {
  // Node hands out bytes that are no ASCII as characters of one byte each.
  const escaped = path.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  const spelled = decode(escaped).replace(ESCAPED, (part) =>
    part.startsWith('%') ? part.toUpperCase() : encodeURIComponent(part),
  );
  return withoutDots(spelled).replace(/^(?:\/|%5C)*/, '/');
}

/** Decodes what means the same without its escape; all the rest is told as text. */
function decode(path: string): string {
  try {
    return decodeURI(path.replaceAll('%25', '%2525'));
  } catch {
    return path.replaceAll('%', '%25');
  }
}

/** RFC 3986, section 5.2.4. */
function withoutDots(path: string): string {
  const kept: string[] = [];
  const parts = path.split('/');
  for (const [index, part] of parts.entries()) {
    if (part === '..' && kept.length > 1) kept.pop();
    if (part !== '.' && part !== '..') kept.push(part);
    else if (index === parts.length - 1) kept.push('');
  }
  return kept.join('/');
}
