const PREVIEW = /^(\/preview|\/api\/previews)\/.*/i;

/**
 * What a log may say of an address: no query, in which links of mails carry their tokens, and no token of a preview,
 * however its address is spelled: routers read escaped letters and capitals.
 */
export function toLoggedPath(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  const preview = PREVIEW.exec(decode(path).replace(/\/{2,}/g, '/'))?.[1];
  return preview === undefined ? path : `${preview.toLowerCase()}/...`;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
