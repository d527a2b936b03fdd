/**
 * Returns the address with a number of WordPress (`/?p=12`, `/?page_id=12`) that a visitor asks for, as redirects record it;
 * null for all other addresses, on which a query has no influence.
 * @param url path and query, as the browser sends them
 */
export function toNumberedAddress(url: string): string | null {
  const queryAt = url.indexOf('?');
  if (queryAt < 0 || !/[?&](?:p|page_id)=\d/.test(url)) return null;
  const query = new URLSearchParams(url.slice(queryAt + 1));
  const [name, number = ''] = [...query].find(([key]) => key === 'p' || key === 'page_id') ?? [];
  if (name === undefined || !/^\d{1,20}$/.test(number)) return null;
  // A pattern would take time with the square of the slashes.
  let end = queryAt;
  while (url[end - 1] === '/') end -= 1;
  return `${url.slice(0, end)}/?${name}=${number.replace(/^0+(?=\d)/, '')}`;
}
