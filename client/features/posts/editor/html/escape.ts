/** Text for HTML in the spelling of the server's sanitizer: no-break spaces can be seen. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\u00a0', '&nbsp;');
}

/** A start tag's attributes, each with a blank in front; those that are undefined are left out. */
export function writeAttributes(attributes: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escapeText(value).replaceAll('"', '&quot;')}"`))
    .join('');
}
