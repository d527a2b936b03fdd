/**
 * Prepares sanitised post HTML for small screens: tables and code that are wider than the page scroll by
 * themselves, and can be scrolled with the keyboard. In sanitised HTML every other `<` is escaped, so the tags can be
 * found as text, alike on the server and in the browser.
 */
export function toReadableHtml(content: string): string {
  return content
    .replace(/<table\b/g, '<div class="table-scroll" role="region" aria-label="Table" tabindex="0"><table')
    .replace(/<\/table>/g, '</table></div>')
    .replace(/<pre\b/g, '<pre tabindex="0"');
}
