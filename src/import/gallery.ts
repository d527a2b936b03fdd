const token =
  /<figure\b[^<>]*>|<\/figure\s*>|<figcaption\b[^<>]*>|<\/figcaption\s*>|(?:<a\s[^<>]*>\s*)?<img\b[^<>]*>(?:\s*<\/a>)?/gi;
const galleryFigure = /^\s*<figure\b[^<>]*\bclass\s*=\s*["'][^"'<>]*gallery[^<>]*>([^]*)<\/figure>\s*$/i;

/** A picture of a gallery: pictures that follow each other in this way stand beside each other. */
export function gridFigure(picture: string, caption = ''): string {
  return `<figure class="ql-width-grid">${picture}${caption === '' ? '' : `<figcaption>${caption}</figcaption>`}</figure>`;
}

/**
 * The gallery of another editor as pictures beside each other, with their captions and links; what is said of all of them
 * follows as a paragraph. Whatever else is in it stays.
 */
export function toGallery(html: string, warnings: string[]): string {
  const isWide = /^[^<]*<(?:figure|ul|div)\b[^<>]*\b(?:align|kg-width-)(?:wide|full)\b/i.test(html);
  if (isWide) warnings.push('a gallery that was wider than the text is as wide as the text');
  const inside = (galleryFigure.exec(html)?.[1] ?? html).replace(/<\/?(?:ul|li|div)\b[^<>]*>/gi, '');
  let depth = 0;
  return inside
    .replace(token, (written) => {
      const isFigure = /^<\/?figure\b/i.test(written);
      if (isFigure) {
        depth = Math.max(0, depth + (written.startsWith('</') ? -1 : 1));
        return written.startsWith('</') ? '</figure>' : '<figure class="ql-width-grid">';
      }
      if (depth > 0) return written;
      if (/^<\/?figcaption/i.test(written)) return written.startsWith('</') ? '</p>' : '<p>';
      return gridFigure(written);
    })
    .trim();
}

const opening = /<figure\b[^<>]*\bclass\s*=\s*["'][^"'<>]*\bkg-gallery-card\b[^<>]*>/gi;

/** Galleries of Ghost in the HTML of its posts; a figure in them would be an end. */
export function replaceGhostGalleries(html: string, warnings: string[]): string {
  const starts = new RegExp(opening);
  let replaced = '';
  let at = 0;
  for (let match = starts.exec(html); match !== null; match = starts.exec(html)) {
    const end = html.indexOf('</figure>', match.index);
    if (end < 0) break;
    const close = end + '</figure>'.length;
    replaced += html.slice(at, match.index) + toGallery(html.slice(match.index, close), warnings);
    at = starts.lastIndex = close;
  }
  return replaced + html.slice(at);
}
