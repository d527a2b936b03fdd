/** What a log may say of an address: no query, in which links of mails carry their tokens, and no token of a preview. */
export function toLoggedPath(url: string): string {
  return (url.split('?')[0] ?? '').replace(/^(\/preview|\/api\/previews)\/.*/, '$1/...');
}
